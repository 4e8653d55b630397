"""What does a PDF say? Its text in reading order, as HTML with headings and paragraphs."""
