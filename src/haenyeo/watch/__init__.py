"""Did the layout change? Pages of one kind are described and compared; extraction rules are learned and repaired."""

from haenyeo.watch.compare import compare_layouts
from haenyeo.watch.layout import Layout, LayoutChange, describe_layout
from haenyeo.watch.rules.check import RuleCheck, check_rule
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.repair import repair_rule
from haenyeo.watch.rules.rule import Field, Rule

__all__ = [
    "Field",
    "Layout",
    "LayoutChange",
    "Rule",
    "RuleCheck",
    "check_rule",
    "compare_layouts",
    "describe_layout",
    "learn_rule",
    "repair_rule",
]
