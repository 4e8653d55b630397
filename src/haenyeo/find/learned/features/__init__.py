"""What can be seen of words, links and addresses? Numbers, so that all of it can be weighed in one way."""

from haenyeo.find.learned.features.in_address import FOLDER, SITE, address_features
from haenyeo.find.learned.features.links import LINK_KINDS, LinkFeatures, features_on_page, link_features
from haenyeo.find.learned.features.words import TABLE, WORD_IDS, Ids, Numbers, PageWords, place, word_ids

__all__ = [
    "FOLDER",
    "LINK_KINDS",
    "SITE",
    "TABLE",
    "WORD_IDS",
    "Ids",
    "LinkFeatures",
    "Numbers",
    "PageWords",
    "address_features",
    "features_on_page",
    "link_features",
    "place",
    "word_ids",
]
