"""How did the papers choose links? Their formulas with their constants, under their names."""
