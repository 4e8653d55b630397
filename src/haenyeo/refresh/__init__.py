"""When is a page worth another look?"""
