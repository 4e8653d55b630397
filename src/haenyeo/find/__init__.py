"""Which link is worth a visit?"""
