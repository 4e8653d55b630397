"""What is on this page? Bytes become text blocks, links with their surroundings, and addresses in one spelling."""
