"""Has this page changed by now, and how soon will it change again?"""
