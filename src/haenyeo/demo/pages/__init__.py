"""How do the demo pages look? Layouts that differ from site to site and change when a site is redesigned."""
