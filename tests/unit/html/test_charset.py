from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.charset import codec, decode, sniff

# The last words hold syllables that KS X 1001 lacks and cp949 has.
KOREAN = "제주 바다의 해녀는 숨을 참고 전복과 소라를 딴다. 물질은 물때를 보고 나간다. 똠방각하 펲시콜라"
PAGE = "<html><head>{}<title>해녀</title></head><body><p>" + KOREAN + "</p></body></html>"


def page(meta: str = "") -> str:
    return PAGE.format(meta)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("UTF-8", "utf-8"),
        (" utf8\n", "utf-8"),
        ("euc-kr", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("Shift_JIS", "cp932"),
        ("gb2312", "gb18030"),
        ("iso-8859-1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("big5", "big5hkscs"),
        ("iso-8859-8-i", "iso-8859-8"),
        ("utf-16", "utf-16le"),
    ],
)
def test_labels_mean_what_the_standard_says(label: str, name: str) -> None:
    assert codec(label) == name


@pytest.mark.parametrize("label", ["rot13", "zlib", "utf-7", "hex", "idna", "unicode_escape", "", "ﬂ", "utf_8_sig"])
def test_labels_of_python_alone_are_unknown(label: str) -> None:
    assert codec(label) is None


@pytest.mark.parametrize("label", ["rot13", "zlib", "utf-7", "no-such-charset"])
def test_an_unknown_label_is_as_good_as_none(label: str) -> None:
    assert decode(page().encode(), f"text/html; charset={label}") == page()
    meta = f'<meta charset="{label}">'
    assert decode(page(meta).encode()) == page(meta)


def test_utf7_is_never_decoded() -> None:
    assert decode(b"+ADw-script+AD4- plain", "text/html; charset=utf-7") == "+ADw-script+AD4- plain"


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_byte_order_mark_decides(mark: bytes) -> None:
    name = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    assert decode(mark + page().encode(name), "text/html; charset=euc-kr") == page()


def test_a_utf8_mark_is_no_part_of_the_text() -> None:
    assert decode(codecs.BOM_UTF8 + page().encode(), "text/html; charset=latin1") == page()


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_seen_by_its_first_tag(name: str) -> None:
    assert decode(page().encode(name)) == page()


def test_a_header_of_utf16_over_plain_bytes_is_ignored() -> None:
    assert decode(page().encode(), "text/html; charset=utf-16") == page()


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="euc-kr">',
        "<META CHARSET=EUC-KR>",
        "<meta charset='ks_c_5601-1987' />",
        '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">',
        "<meta content='text/html;charset = \"euc-kr\"' http-equiv=content-type>",
        '<meta charset="no-such"><meta charset="euc-kr">',
        '<!-- <meta charset="utf-8"> --><meta charset="euc-kr">',
        '<?php charset ?><a title="> <meta charset=utf-8>"><meta charset="euc-kr">',
        "<!--" + "-" * 9000 + '--><meta charset="euc-kr">',
    ],
)
def test_a_declaration_in_the_page_is_found(meta: str) -> None:
    assert sniff(page(meta).encode("cp949")) == "cp949"
    assert decode(page(meta).encode("cp949"), "text/html") == page(meta)


@pytest.mark.parametrize(
    "head",
    [
        '<!-- <meta charset="euc-kr"> -->',
        "<meta charset=euc-kr",
        '<meta charset="euc-kr',
        '<meta content="text/html; charset=euc-kr">',
        '<meta http-equiv="refresh" content="text/html; charset=euc-kr">',
        '<p title="<meta charset=euc-kr>">',
        "charset=euc-kr",
    ],
)
def test_what_only_looks_like_a_declaration_is_not_one(head: str) -> None:
    assert sniff(head.encode()) == "windows-1252"


def test_an_xml_declaration_counts() -> None:
    assert sniff(b'<?xml version="1.0" encoding="euc-kr"?><html>') == "cp949"


def test_a_page_cannot_declare_itself_utf16() -> None:
    assert sniff(b"<meta charset=utf-16>") == "utf-8"
    assert sniff(b"<meta charset=x-user-defined>") == "windows-1252"


def test_the_header_wins_over_the_page() -> None:
    text = page('<meta charset="shift_jis">')
    assert decode(text.encode("cp949"), 'text/html; charset="EUC-KR"') == text


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1252", "euc-kr", "koi8-r"])
def test_utf8_that_the_bytes_prove_wins_over_any_label(label: str) -> None:
    text = page('<meta charset="utf-8">')
    assert decode(text.encode(), f"text/html; charset={label}") == text
    assert sniff(page(f'<meta charset="{label}">').encode()) == "utf-8"


def test_a_few_letters_do_not_prove_utf8_against_a_charset_of_two_bytes() -> None:
    assert sniff("<meta charset=euc-kr>값".encode()) == "cp949"


def test_a_header_of_utf8_that_the_bytes_refute_loses_to_the_page() -> None:
    text = page('<meta charset="euc-kr">')
    assert decode(text.encode("cp949"), "text/html; charset=utf-8") == text


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (KOREAN, "cp949"),
        ("해녀", "euc-kr"),
        ("海女さんは海に潜ってあわびやさざえをとります。" * 3, "shift_jis"),
        ("海女さんは海に潜ってあわびやさざえをとります。" * 3, "euc-jp"),
        ("济州岛的海女不用氧气瓶潜水捕捞鲍鱼和海螺。" * 3, "gb18030"),
        ("濟州島的海女不用氧氣瓶潛水捕撈鮑魚和海螺。" * 3, "big5"),
        ("Ныряльщицы острова Чеджу собирают моллюсков без аквалангов. " * 3, "windows-1251"),
        (
            "Les plongeuses de l'île récoltent des ormeaux sans oxygène, été comme hiver. " * 3,
            "windows-1252",
        ),
    ],
)
def test_a_page_without_a_label_is_looked_at(text: str, charset: str) -> None:
    assert decode(f"<html><body>{text}</body></html>".encode(charset)) == f"<html><body>{text}</body></html>"


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", None], ids=["header", "meta"])
@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("제주 해녀는 산소통 없이 바다에 들어가 전복과 소라를 딴다. 물질은 오래된 기술이다.", "cp949"),
        ("海女は素潜りで鮑や栄螺を採る。海の仕事は昔から女性のものだった。", "cp932"),
        ("Les plongeuses récoltent des ormeaux près de la côte, été après été, à marée basse.", "windows-1252"),
    ],
    ids=["korean", "japanese", "french"],
)
def test_bytes_that_are_not_the_utf8_they_are_called_are_looked_at(
    text: str, charset: str, content_type: str | None
) -> None:
    page = f"<meta charset=utf-8><title>Divers</title><p>{text}</p>"
    assert decode(page.encode(charset), content_type) == page


def test_a_few_bad_bytes_do_not_make_another_charset_of_a_page_in_utf8() -> None:
    for good in ("plain words", "two letters: \xe9\xe8", "해녀"):
        page = good.encode() + b" \x92 and \xff"
        assert decode(page, "text/html; charset=utf-8").startswith(good)
        assert "\ufffd" in decode(page, "text/html; charset=utf-8")


def test_stray_bad_bytes_cost_only_themselves() -> None:
    data = page().encode()
    middle = data.index("바다".encode())
    broken = data[:middle] + b"\xff\xfe\xc0" + data[middle:]
    for content_type in ("text/html; charset=utf-8", "text/html", None):
        text = decode(broken, content_type)
        assert text.replace("\ufffd", "") == page()
        assert text.count("\ufffd") == 3


def test_a_page_cut_within_a_letter_is_still_utf8() -> None:
    cut = (KOREAN * 5).encode()[:-1]
    assert decode(cut) == (KOREAN * 5)[:-1] + "\ufffd"


def test_a_bad_byte_in_euc_kr_keeps_the_letter_behind_it() -> None:
    assert decode(b"\xb0\xa1\xc8<b>", "text/html; charset=euc-kr") == "가\ufffd<b>"


def test_undefined_bytes_of_windows_charsets_are_controls() -> None:
    assert decode(b"\x80\x81\x8d\xe9", "text/html; charset=iso-8859-1") == "€\x81\x8dé"
    assert decode(b"\xaa\xe4", "text/html; charset=windows-1253") == "\ufffdδ"


def test_charsets_that_python_lacks() -> None:
    assert decode(b"ab\xe9", "text/html; charset=iso-2022-kr") == "ab\ufffd"
    assert decode(b"ab\xe9", "text/html; charset=x-user-defined") == "ab\uf7e9"


def test_iso_2022_jp_is_not_taken_for_ascii() -> None:
    assert decode("海女".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp") == "海女"


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("text/html;charset=euc-kr", "cp949"),
        ("text/html; Charset = 'euc-kr' ; x=y", "cp949"),
        ("text/html; charset=", "windows-1252"),
        ("text/html; charset=bogus", "windows-1252"),
        ("", "windows-1252"),
    ],
)
def test_a_content_type_is_read_leniently(content_type: str, name: str) -> None:
    assert sniff(b"<p>plain", content_type) == name


labels = st.sampled_from([None, "", "text/html; charset=euc-kr", "charset=utf-8", "charset=replacement"])
starts = st.sampled_from([b"", b"<meta charset=", b"<meta charset=big5>", b"<?xml encoding='koi8-r'?>", b"<\0a\0"])


@given(st.binary(), starts, st.one_of(labels, st.just("charset=utf-16")))
def test_any_bytes_can_be_decoded(data: bytes, start: bytes, content_type: str | None) -> None:
    assert isinstance(decode(start + data, content_type), str)
    assert sniff(start + data, content_type)


@given(st.text(), labels)
def test_utf8_comes_out_as_it_went_in(text: str, content_type: str | None) -> None:
    data = ("해녀는 바다로 간다 " + text).encode("utf-8", "replace")
    assert decode(data, content_type) == data.decode()


@given(st.text(st.characters(codec="cp949"), min_size=1))
def test_euc_kr_with_a_label_comes_out_as_it_went_in(text: str) -> None:
    data = text.encode("cp949")
    assert decode(data, "text/html; charset=euc-kr") == data.decode("cp949")
