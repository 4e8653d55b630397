"""Where does every line, bar and box of a drawing go? Geometry only; templates/parts/plots.html draws it."""

from haenyeo.web.plots.curve import Curve, Mark, Scale, Series, curve
from haenyeo.web.plots.heatmap import Heatmap, heatmap
from haenyeo.web.plots.outline import DrawnOutline, outlines
from haenyeo.web.plots.treemap import Box, treemap

__all__ = [
    "Box",
    "Curve",
    "DrawnOutline",
    "Heatmap",
    "Mark",
    "Scale",
    "Series",
    "curve",
    "heatmap",
    "outlines",
    "treemap",
]
