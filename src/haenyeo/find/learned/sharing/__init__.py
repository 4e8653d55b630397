"""What can crawls for one topic learn from each other?"""
