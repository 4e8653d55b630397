import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.traps.fingerprint import TextFingerprint, distances, fingerprint_in_python, simhash, word_hashes
from haenyeo.find.traps.fingerprint import fingerprint as fingerprint_of_bytes

_ENGLISH = (
    "At low water the divers walk out over the black rocks with their floats and nets and wait until the oldest of "
    "them has looked at the sky and said whether the wind will hold before they go down for abalone and sea urchin"
)
_KOREAN = (
    "해녀들은 물때를 보고 바다로 나가 숨을 참은 채 물속으로 들어가 전복과 소라를 캐어 올린다 "
    "물 위로 올라와 내쉬는 숨소리는 멀리서도 들을 수 있어 서로의 안전을 확인하는 신호가 된다 "
    "물질이 끝나면 불턱에 모여 몸을 녹이고 잡은 것을 나누며 다음 물때를 이야기한다 "
    "어린 해녀는 어른에게서 바다를 배우고 바람이 거센 날에는 모두가 집에서 그물을 고친다"
)


def fingerprint(text: str) -> TextFingerprint:
    return fingerprint_of_bytes(text.encode(errors="replace"))


def _apart(one: str, other: str) -> int:
    return int(distances(np.array([fingerprint(one).simhash], np.uint64), fingerprint(other).simhash)[0])


@pytest.mark.parametrize("text", [_ENGLISH, _KOREAN])
def test_texts_that_differ_in_numbers_and_codes_only_are_alike(text: str) -> None:
    one = f"{text} made at 2024-05-12T10:31:07 number 5 id 8f3ac2"
    other = f"{text} made at 2025-11-02T23:59:59 number 70431 id 00beef77a"
    assert fingerprint(one).simhash == fingerprint(other).simhash
    assert fingerprint(one).digest != fingerprint(other).digest


@pytest.mark.parametrize("text", [_ENGLISH, _KOREAN])
def test_one_word_in_a_long_text_moves_few_bits_and_another_text_many(text: str) -> None:
    long = " ".join(random.Random(2).sample(text.split() * 12, 12 * len(text.split())))
    assert _apart(long, long + " changed") <= 3
    assert _apart(long, " ".join(reversed(long.split()))) > 10


@pytest.mark.parametrize("text", [_ENGLISH, _KOREAN])
def test_case_and_punctuation_do_not_matter(text: str) -> None:
    assert word_hashes(text).tolist() == word_hashes(f"({text.upper().replace(' ', ', ')}!)").tolist()


def test_a_word_hashes_the_same_wherever_it_stands() -> None:
    hashes = word_hashes("reef and reef, and -- reef").tolist()
    assert hashes[0] == hashes[2] == hashes[4]
    assert hashes[1] == hashes[3] != hashes[0]


def test_words_with_digits_are_left_out() -> None:
    assert len(word_hashes("room 101 b2b second2none plain")) == 2


def test_a_long_text_is_judged_by_its_beginning_middle_and_end() -> None:
    words = [f"w{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{'uvwxyzabcd'[n // 100 % 10]}" for n in range(1000)]
    long = " ".join(words * 20)
    assert fingerprint(long).pairs < 3000
    assert fingerprint("x" + long[1:]).simhash != 0
    assert _apart(long, f"{long} end") <= 3


def test_no_text_has_a_fingerprint_too() -> None:
    empty = fingerprint("")
    assert (empty.simhash, empty.words, empty.pairs, len(empty.sample)) == (0, 0, 0, 0)
    assert fingerprint("1 2 3").words == 0
    assert fingerprint("word").words == 1


def test_the_simhash_has_what_most_hashes_have() -> None:
    assert simhash(np.array([0b1011, 0b1001, 0b1110], np.uint64)) == 0b1011


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_can_be_fingerprinted_and_always_alike(text: str) -> None:
    one, other = fingerprint(text), fingerprint(text)
    assert (one.digest, one.simhash, one.words, one.pairs) == (other.digest, other.simhash, other.words, other.pairs)


_parts = st.lists(st.sampled_from(["reef ", "Ärger, ", "해녀 ", "ΣΑΣ ", "İ", "ǅ", "𐐀x ", "7 ", "—"]), max_size=30)


@given(st.text(max_size=40), _parts, st.sampled_from([1, 40, 300]))
def test_compiled_code_gives_the_same_fingerprint(text: str, parts: list[str], times: int) -> None:
    data = (text + "".join(parts) * times + text).encode()
    one, other = fingerprint_of_bytes(data), fingerprint_in_python(data)
    assert (one.digest, one.simhash, one.words, one.pairs) == (other.digest, other.simhash, other.words, other.pairs)
    assert sorted(one.sample.tolist()) == sorted(other.sample.tolist())


@given(st.binary(max_size=100), st.sampled_from([1, 100]))
def test_bytes_that_are_no_text_do_no_harm(data: bytes, times: int) -> None:
    assert fingerprint_of_bytes(data * times).pairs >= 0


def test_of_many_pairs_compiled_code_samples_the_same() -> None:
    words = " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(900)).encode()
    one, other = fingerprint_of_bytes(words[:4000]), fingerprint_in_python(words[:4000])
    assert len(one.sample) == 256
    assert sorted(one.sample.tolist()) == sorted(other.sample.tolist())


@pytest.mark.parametrize("letter", ["a", "é", "가", "𐐀"])
@pytest.mark.parametrize("length", [1023, 1024, 4095, 4096, 4097, 9000])
def test_compiled_code_bears_words_as_long_as_the_text(letter: str, length: int) -> None:
    text = (letter * length).encode()
    one, other = fingerprint_of_bytes(text), fingerprint_in_python(text)
    assert (one.simhash, one.words, one.pairs) == (other.simhash, other.words, other.pairs)
