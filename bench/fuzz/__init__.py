"""Does compiled code do what its Python twin does, whatever it is given? Inputs by chance, from seeds that repeat them.

python -m bench.fuzz --seconds 60        builds all modules with sanitizers and tries them for a minute
python -m bench.fuzz --target scanner.scan --seed 17        one input again
"""
