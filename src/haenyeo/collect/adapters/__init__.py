"""How do find, read and watch work on a stored collection? They know neither store nor archive themselves."""
