"""How do the parts work together on one collection?"""
