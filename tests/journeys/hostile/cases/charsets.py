"""Pages whose bytes are not what their labels say; the text must come out right all the same."""

from __future__ import annotations

import codecs

from hostile.answers import page
from hostile.pages import KOREAN, prose
from hostile.stage import Cases, Expected, Stage

case = Cases()

MARK = "전복과 소라를 캐어 올린다"
UNLABELLED = "Content-Type: text/html"


def _korean(text: str = KOREAN, extra_head: str = "") -> str:
    body = f"<h1>해녀 이야기</h1><p>{text}</p>"
    return f"<!DOCTYPE html><html><head>{extra_head}<title>해녀</title></head><body>{body}</body></html>"


def _reads(stage: Stage, body: bytes, content_type: str, mark: str = MARK) -> Expected:
    stage.x(page(body, content_type))
    return Expected(says={"/x": mark})


@case("cs-euckr-nolabel")
def cs_euckr_nolabel(stage: Stage) -> Expected:
    """EUC-KR without a label anywhere."""
    return _reads(stage, _korean().encode("euc-kr"), UNLABELLED)


@case("cs-ksc5601-meta")
def cs_ksc5601_meta(stage: Stage) -> Expected:
    """Labelled ks_c_5601-1987, with syllables outside the small KS X 1001 set."""
    mark = "똠방각하와 펲시콜라를 햏자가 뷁"
    label = '<meta http-equiv="Content-Type" content="text/html; charset=ks_c_5601-1987">'
    return _reads(stage, _korean(f"{mark} {KOREAN}", label).encode("cp949"), UNLABELLED, mark)


@case("cs-header-latin1-is-utf8")
def cs_header_latin1_is_utf8(stage: Stage) -> Expected:
    """The header says ISO-8859-1, the meta element UTF-8, and the bytes are UTF-8."""
    body = _korean(extra_head='<meta charset="utf-8">').encode()
    return _reads(stage, body, "Content-Type: text/html; charset=ISO-8859-1")


@case("cs-utf16le-bom")
def cs_utf16le_bom(stage: Stage) -> Expected:
    """UTF-16LE with a byte order mark and no label."""
    return _reads(stage, codecs.BOM_UTF16_LE + _korean().encode("utf-16-le"), UNLABELLED)


@case("cs-utf16be-bom")
def cs_utf16be_bom(stage: Stage) -> Expected:
    """UTF-16BE with a byte order mark, and a header that says otherwise."""
    body = codecs.BOM_UTF16_BE + _korean().encode("utf-16-be")
    return _reads(stage, body, "Content-Type: text/html; charset=euc-kr")


@case("cs-utf8-bom-wrong-header")
def cs_utf8_bom_wrong_header(stage: Stage) -> Expected:
    """UTF-8 with a byte order mark under a header that says EUC-KR."""
    return _reads(stage, codecs.BOM_UTF8 + _korean().encode(), "Content-Type: text/html; charset=euc-kr")


@case("cs-utf16-meta-is-utf8")
def cs_utf16_meta_is_utf8(stage: Stage) -> Expected:
    """A meta element that says UTF-16 in bytes that can be read without it."""
    return _reads(stage, _korean(extra_head='<meta charset="utf-16">').encode(), UNLABELLED)


@case("cs-gb18030-label")
def cs_gb18030_label(stage: Stage) -> Expected:
    """GB18030 labelled as gb2312, with a character that only the larger set has."""
    mark = "济州岛的海女潜入大海采集鲍鱼和海胆镕"
    body = f"<title>海女</title><h1>海女的故事</h1><p>{mark}{'她们在海里工作唱着古老的歌。' * 9}</p>"
    return _reads(stage, body.encode("gb18030"), 'Content-Type: text/html; charset="gb2312"', mark)


@case("cs-late-meta")
def cs_late_meta(stage: Stage) -> Expected:
    """A label in a meta element that stands behind 3,000 bytes of comment."""
    label = f'<!-- {"long licence text " * 170} --><meta charset="euc-kr">'
    return _reads(stage, _korean(extra_head=label).encode("euc-kr"), UNLABELLED)


@case("cs-xml-declaration")
def cs_xml_declaration(stage: Stage) -> Expected:
    """XHTML whose only label is its XML declaration."""
    body = '<?xml version="1.0" encoding="euc-kr"?>' + _korean()
    return _reads(stage, body.encode("euc-kr"), "Content-Type: application/xhtml+xml")


@case("cs-shiftjis-meta")
def cs_shiftjis_meta(stage: Stage) -> Expected:
    """Shift_JIS under one of its other names."""
    mark = "済州島の海女は海に潜ってアワビとサザエを採る"
    body = f'<meta charset="x-sjis"><title>海女</title><h1>海女の話</h1><p>{mark}{"。波の音を聞きながら働く" * 9}。</p>'
    return _reads(stage, body.encode("shift_jis"), UNLABELLED, mark)


@case("cs-label-python-codec")
def cs_label_python_codec(stage: Stage) -> Expected:
    """Labels that are names of Python codecs, in the header and in the page."""
    stage.links = ("/header", "/meta", "/escape")
    stage.host.on("/header", page(_korean(), "Content-Type: text/html; charset=zlib"))
    stage.host.on("/meta", page(_korean(f"{prose('meta')} {KOREAN}", '<meta charset="rot13">'), UNLABELLED))
    stage.host.on(
        "/escape", page(_korean(f"{KOREAN} {prose('escape')}"), "Content-Type: text/html; charset=unicode_escape")
    )
    return Expected(says=dict.fromkeys(stage.links, MARK))


@case("cs-mixed-bad-bytes")
def cs_mixed_bad_bytes(stage: Stage) -> Expected:
    """UTF-8 with stray bad bytes."""
    bad = _korean().encode().replace("바다의".encode(), b"\xff\xfe\xc0" + "바다의".encode() + b"\x80\xed\xa0\x80")
    return _reads(stage, bad, "Content-Type: text/html; charset=utf-8")


@case("cs-utf7")
def cs_utf7(stage: Stage) -> Expected:
    """A label that says UTF-7, with a script hidden in it."""
    hidden = "+ADw-a href+AD0AIg-/hidden+ACIAPg-hidden+ADw-/a+AD4-"
    body = f'<meta charset="utf-7"><title>divers</title><p>{prose("utf7")} plain text survives</p><p>{hidden}</p>'
    stage.x(page(body, "Content-Type: text/html; charset=utf-7"))
    return Expected(says={"/x": "plain text survives"}, unasked=("/hidden",))


@case("cs-label-nonsense")
def cs_label_nonsense(stage: Stage) -> Expected:
    """A label that is very long, and one with control characters."""
    stage.links = ("/long", "/control")
    stage.host.on("/long", page(_korean(), f"Content-Type: text/html; charset={'utf' * 2_000}"))
    stage.host.on("/control", page(_korean(f"{KOREAN} {prose('c')}"), 'Content-Type: text/html; charset="utf\x01-8\\"'))
    return Expected(says=dict.fromkeys(stage.links, MARK))
