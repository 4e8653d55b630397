"""`spfc`: how near in meaning to the topic are the words of a link and of its paragraph?

Kang & Kim (2020, section 3): with path similarities of WordNet's nouns, Sim_anchor = Σ sim(topic word, anchor word) /
(|topic| + |anchor|), the same for the words of the paragraph, and Sim = 1 / (1/Sim_anchor + 1/Sim_paragraph), 0 if
either is. An ontology of the user's, {term: [broader terms]}, can take the place of WordNet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.model.pages import Link
from haenyeo.model.parts import LinkedPage
from haenyeo.words.kinship import Ontology, TermGraph
from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import words

_MOST_KNOWN = 200_000


class Kinship:
    """Rates links by path similarity."""

    def __init__(self, topic: str, graph: TermGraph) -> None:
        self._graph = graph
        self._topic = self._terms(topic)
        self._to_topic = [graph.similarities(word) for word in self._topic if graph.senses(word)]
        self._known: dict[str, float] = {}

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """Learn nothing: only the topic's words count here."""

    def see(self, page: LinkedPage) -> None:
        """Learn nothing: only the topic's words count here."""

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """The priority of each link, on a scale that ends at 1; links without words are left."""
        del relevance
        paragraphs: dict[str, float] = {}
        scores = []
        for link in page.links:
            if link.paragraph not in paragraphs:
                paragraphs[link.paragraph] = self._nearness(link.paragraph)
            scores.append(_joined(self._nearness(link.anchor), paragraphs[link.paragraph]) if link.anchor else REFUSED)
        return scores

    def weigh(self, link: Link) -> Mapping[str, float]:
        """How near each word of the anchor is to all words of the topic together."""
        return {word: self._similarity(word) for word in self._terms(link.anchor)}

    def _nearness(self, text: str) -> float:
        said = self._terms(text)
        return sum(map(self._similarity, said)) / max(1, len(self._topic) + len(said))

    def _terms(self, text: str) -> Sequence[str]:
        return self._graph.terms([word for word in words(text) if says_something(word)])

    def _similarity(self, word: str) -> float:
        """The sum of a word's similarities to all words of the topic."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        if word not in self._known:
            senses = list(self._graph.senses(word))
            nearest = [float(near[senses].max()) for near in self._to_topic] if senses else []
            self._known[word] = sum(map(self._likeness, nearest))
        return self._known[word]

    def _likeness(self, similarity: float) -> float:
        """What a path similarity counts; here all of it."""
        return similarity


class SemanticPriority(PaperScorer):
    """Takes the link first that is nearest in meaning to the topic's words."""

    def __init__(self, *, words: str = "", ontology: Mapping[str, Sequence[str]] | None = None) -> None:
        self.ontology = ontology
        super().__init__(words, lambda: Kinship(words, graph_of(ontology)))


def graph_of(ontology: Mapping[str, Sequence[str]] | None) -> TermGraph:
    """The graph of terms in which nearness is looked up: the user's own, or WordNet's."""
    from haenyeo.words.wordnet import wordnet

    return Ontology(ontology) if ontology else wordnet()


def _joined(anchor: float, paragraph: float) -> float:
    """The harmonic join, s, as s / (1 + s): the same order below 1."""
    if not anchor or not paragraph:
        return 0.0
    both = 1 / (1 / anchor + 1 / paragraph)
    return both / (1 + both)
