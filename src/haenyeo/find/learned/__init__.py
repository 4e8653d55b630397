"""What makes a link worth a visit, learnt from the crawl itself?"""
