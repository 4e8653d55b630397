"""Which links wait, which of them may be followed, and which is taken next?"""
