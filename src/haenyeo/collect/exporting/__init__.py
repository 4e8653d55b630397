"""How do other programs get the pages? In the formats they read, with a card that says what is inside."""
