"""How does a collection come into more or fewer shards?"""
