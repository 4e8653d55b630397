"""How do the parts work together on one collection?"""

import logging

logging.getLogger("haenyeo").addHandler(logging.NullHandler())
