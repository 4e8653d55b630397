"""What does the server answer, and may and should it be asked now?"""
