"""What is done beside a crawl, in a thread of its own: indexing, and bringing files elsewhere. When, and how much?"""
