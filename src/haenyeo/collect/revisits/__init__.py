"""What was seen before: when is it asked for again, and what became of it?"""
