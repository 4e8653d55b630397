"""What do views and programs ask of a collection? Each question once, as a function that returns values.

Pages for people (`views`) and answers for programs (`api`) both ask here and differ only in how they say it.
"""
