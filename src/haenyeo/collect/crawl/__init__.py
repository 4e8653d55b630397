"""How does a crawl go from page to page until its budget is used or nothing is left?"""
