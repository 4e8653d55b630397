"""Did the layout change? Pages of one kind are described and compared; extraction rules are learned and repaired."""
