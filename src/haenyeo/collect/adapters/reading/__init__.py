"""What does a page of the crawl say, with what its site has taught so far?"""
