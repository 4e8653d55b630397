"""What does each view show? One file a view: it gathers the numbers, a template says how they look."""
