import pytest

from haenyeo.demo.text.korean import with_particle


@pytest.mark.parametrize(
    ("word", "particle", "joined"),
    [
        ("전복", "은", "전복은"),
        ("해녀", "은", "해녀는"),
        ("물질", "을", "물질을"),
        ("소라", "을", "소라를"),
        ("바람", "이", "바람이"),
        ("바다", "과", "바다와"),
        ("물", "으로", "물로"),
        ("바다", "으로", "바다로"),
        ("집", "으로", "집으로"),
        ("할머니", "에게", "할머니에게"),
        ("3", "은", "3은"),
        ("2", "은", "2는"),
        ("", "은", "는"),
    ],
)
def test_particles_follow_the_last_sound(word: str, particle: str, joined: str) -> None:
    assert with_particle(word, particle) == joined
