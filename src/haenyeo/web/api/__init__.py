"""What can a program ask? The REST interface under /api: what the views show, as JSON, described by OpenAPI."""

from haenyeo.web.api.routes import ROUTES

__all__ = ["ROUTES"]
