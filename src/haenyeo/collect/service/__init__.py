"""What goes on after the crawl: when are pages visited again, and who looks after that for months?"""
