"""Who goes back to pages that are known, and to the lists that are kept under watch?"""
