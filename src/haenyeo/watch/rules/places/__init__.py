"""Where do the records of a page stand, and the values in them?"""
