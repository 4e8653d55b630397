"""Where shall a crawl begin that was given no address?"""
