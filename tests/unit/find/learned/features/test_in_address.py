"""What an address says about the page behind it."""

from hypothesis import example, given
from hypothesis import strategies as st

from haenyeo.find.learned.features import TABLE
from haenyeo.find.learned.features.in_address import address_features, address_features_in_python

_PATHS = st.text(max_size=40) | st.text("/ab0.1~_-%é", max_size=60)


def test_addresses_of_one_shape_share_features() -> None:
    first = set(address_features("http://a.example/~kim/cs611/index.html").tolist())
    second = set(address_features("http://b.example/~lee/cs540/index.html").tolist())
    other = set(address_features("http://c.example/papers/").tolist())
    assert len(first & second) > len(first & other)


def test_escapes_do_not_matter_even_if_escaped_twice() -> None:
    assert (
        address_features("http://a.example/%EA%B0%80").tolist()
        == address_features("http://a.example/%25EA%25B0%2580").tolist()
        == address_features("http://a.example/가").tolist()
    )


@given(_PATHS)
def test_any_path_has_features_within_the_table_each_once(path: str) -> None:
    features = address_features(f"http://a.example/{path}").tolist()
    assert all(0 < number < TABLE for number in features)
    assert 0 < len(set(features)) == len(features)


@given(_PATHS)
@example("\U00010570/x\U00010400y")  # capitals beyond the first 65,536 characters
def test_compiled_code_finds_the_same(path: str) -> None:
    clean = "/" + path.replace("?", "").replace("#", "").replace("%", "")
    assert (
        address_features(f"http://a.example{clean}").tolist() == address_features_in_python("a.example", clean).tolist()
    )
