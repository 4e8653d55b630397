"""How is one collection kept in several folders, and read as one?"""
