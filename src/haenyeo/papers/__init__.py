"""Which experiments can be repeated? One file for each paper; `haenyeo paper` finds them by number."""
