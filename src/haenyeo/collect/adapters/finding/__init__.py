"""Is this page wanted, and which of its links come next? Where find meets the crawl."""
