"""How is a collection's database made anew from what is in its archive?"""
