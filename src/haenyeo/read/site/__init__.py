"""Which blocks of a page are its text, judged by what the other pages of its site have taught?"""
