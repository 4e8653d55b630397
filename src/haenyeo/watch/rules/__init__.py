"""How are records taken from a page, and found again when its layout changed?"""
