"""What does a page look like once its scripts have run? A browser that has no network but ours."""
