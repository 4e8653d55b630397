"""One file for each paper whose experiment can be repeated; `haenyeo paper` finds them by number."""
