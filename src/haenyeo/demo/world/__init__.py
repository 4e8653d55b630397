"""What is on the demo web, and when? Sites, their items and addresses, and what each page says at a given time."""
