"""How does a request reach a server, and its answer come back?"""
