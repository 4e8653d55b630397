"""How does what one shard has learnt reach the others?"""
