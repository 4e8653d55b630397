"""How do the methods of Kim and Kim (2021) read a page?"""
