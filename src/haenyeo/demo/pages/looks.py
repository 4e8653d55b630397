"""The small stylesheet of a site: colours, typeface and columns, so that its pages look like somebody's."""

from __future__ import annotations

from haenyeo.demo.chance import Chance

_FONTS = (
    "Georgia,serif",
    "Verdana,sans-serif",
    "'Helvetica Neue',Arial,sans-serif",
    "'Trebuchet MS',sans-serif",
    "system-ui,sans-serif",
)
_ACCENTS = ("#0b5563", "#8a2d3b", "#2f5d2f", "#35406f", "#7a4b12", "#00626e", "#5b2a6e", "#a13d00")
_PAPERS = ("#fff", "#fdfbf6", "#f6f8fa", "#fbf7f2")
_RULES = {
    "page": "max-width:1060px;margin:0 auto;padding:0 16px",
    "header": "border-bottom:3px solid {accent};padding:12px 0;margin-bottom:14px",
    "brand": "font-size:1.7em;font-weight:bold;color:{accent};margin:0",
    "crumbs": "font-size:.8em;color:#777;margin-bottom:10px",
    "columns": "display:flex;gap:32px;align-items:flex-start",
    "main": "flex:1;min-width:0",
    "side": "width:250px;font-size:.9em",
    "byline": "color:#777;font-size:.85em",
    "box": "border:1px solid #ddd;padding:8px 12px;margin-bottom:14px",
    "promo": "background:{accent};color:#fff;padding:10px;margin-bottom:14px",
    "ad": "background:#fff4cc;border:1px dashed #c9a400;padding:8px;font-size:.85em;margin:12px 0",
    "cookie": "background:#222;color:#eee;padding:8px 14px;font-size:.85em",
    "footer": "border-top:1px solid #ccc;margin-top:28px;padding:14px 0;font-size:.8em;color:#777",
    "list": "list-style:none;padding:0",
    "record": "border-bottom:1px solid #e3e3e3;padding:10px 0",
    "row_title": "font-size:1.08em;font-weight:bold;margin:2px 0",
    "row_price": "color:{accent};font-weight:bold;margin-right:12px",
    "row_date": "color:#888;font-size:.85em;margin-right:12px",
    "comment": "border-left:3px solid #ddd;padding:4px 12px;margin:10px 0",
    "pager": "margin:18px 0",
    "facts": "font-size:1.2em;color:{accent}",
}


def stylesheet(seed: int, host: str, redesigns: int, selectors: dict[str, str]) -> str:
    """The site's CSS, given how each part is selected; another one after each full redesign."""
    chance = Chance(seed, host, "looks", redesigns)
    accent, paper, font = chance.pick(_ACCENTS), chance.pick(_PAPERS), chance.pick(_FONTS)
    rules = [
        f"body{{margin:0;background:{paper};color:#222;font:16px/1.55 {font}}}",
        f"a{{color:{accent}}}img{{max-width:100%;height:auto}}pre{{background:#f1f1f1;padding:10px;overflow:auto}}",
        "table{border-collapse:collapse}td,th{padding:4px 10px;text-align:left;vertical-align:top}",
    ]
    for part, rule in _RULES.items():
        if selectors.get(part):
            rules.append(f"{selectors[part]}{{{rule.replace('{accent}', accent)}}}")
    if selectors.get("nav"):
        rules.append(f"{selectors['nav']} a,{selectors.get('pager') or 'nav'} a{{margin-right:14px}}")
    return "".join(rules)
