"""What do the demo pages say? Grammatical sentences on a topic, in English and Korean."""

from haenyeo.demo.text.lexicon import Lexicon, Subject, lexicon
from haenyeo.demo.text.voice import Voice

__all__ = ["Lexicon", "Subject", "Voice", "lexicon"]
