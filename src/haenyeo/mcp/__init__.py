"""What may an agent ask of a collection, and what may it change? Tools of the Model Context Protocol."""
