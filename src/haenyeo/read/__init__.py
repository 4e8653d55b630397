"""What does this page say? Clean text, learnt from the site itself."""
