"""How does the collector stand up to hostile servers?

Each case is one small function in `cases/`: it puts one hostile thing on a host of its own (`Stage`) and returns what a
good crawler does about it (`Expected`). `crawl` runs the product on it as a user would, from the command line;
`verdict` compares.
"""
