"""Which blocks of one page are its text, judged by the page alone?"""
