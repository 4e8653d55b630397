"""What happens when a page is asked for? The same for all who ask: crawl, refresh and watch."""
