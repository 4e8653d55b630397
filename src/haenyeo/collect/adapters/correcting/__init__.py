"""What does the user say of pages, and what comes of it? Verdicts, tried out, given, taken back, and asked for."""
