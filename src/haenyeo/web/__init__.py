"""What does the collection look like? The dashboard and its REST interface, for this machine unless told otherwise."""

from haenyeo.web.app import make_app

__all__ = ["make_app"]
