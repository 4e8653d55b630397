"""Is a page about the topic? A probability out of what the topic's words, the examples and the other pages tell."""
