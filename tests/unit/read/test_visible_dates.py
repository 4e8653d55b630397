"""Sixty written pages in ten languages whose date only readers see: six layouts, and each language in its own words."""

from __future__ import annotations

import pytest

from haenyeo.read.extract import extract_site

# Of each language: a heading, two sentences, and the lines with the dates, one for each layout.
WRITTEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "en": (
        "Low tide at the cape",
        "The divers left the harbour before the sun was up, and the sea was calm until noon. Nobody had expected it.",
        (
            "Published on 3 March 2025",
            "March 3, 2025 | Hana Ko",
            "By Hana Ko, Mar 3rd, 2025",
            "2025-03-03",
            "Last updated: 3 March 2025",
            "Posted Monday, 3 March 2025 at 10:15",
        ),
    ),
    "de": (
        "Ebbe am Kap",
        "Die Taucherinnen verließen den Hafen vor Sonnenaufgang, und das Meer blieb bis zum Mittag ruhig und klar.",
        (
            "Veröffentlicht am 3. März 2025",
            "03.03.2025, 14:05 Uhr",
            "Von Hanna Kohl, 3. März 2025",
            "Montag, 3. März 2025",
            "Zuletzt aktualisiert: 03.03.2025",
            "Stand: 3. Mrz 2025",
        ),
    ),
    "fr": (
        "Marée basse au cap",
        "Les plongeuses ont quitté le port avant le lever du soleil, et la mer est restée calme jusqu'à midi ce jour.",
        (
            "Publié le 3 mars 2025",
            "lundi 3 mars 2025",
            "Par Anne Caron, le 3 mars 2025 à 10h15",
            "03.03.2025",
            "Mis à jour le 3 mars 2025",
            "3 Mars 2025 - 4 min de lecture",
        ),
    ),
    "es": (
        "Marea baja en el cabo",
        "Las buceadoras salieron del puerto antes del amanecer, y el mar estuvo en calma hasta el mediodía de ese día.",
        (
            "Publicado el 3 de marzo de 2025",
            "lunes, 3 de marzo de 2025",
            "Por Ana Coral, 3 marzo 2025",
            "3 de marzo del 2025",
            "Actualizado el 3 de marzo de 2025",
            "2025/03/03 10:15",
        ),
    ),
    "it": (
        "Bassa marea al capo",
        "Le tuffatrici lasciarono il porto prima dell'alba, e il mare rimase calmo fino a mezzogiorno di quel giorno.",
        (
            "Pubblicato il 3 marzo 2025",
            "lunedì 3 marzo 2025",
            "di Anna Corallo, 3 Marzo 2025",
            "3 mar 2025",
            "Aggiornato il 3 marzo 2025",
            "03.03.2025",
        ),
    ),
    "pt": (
        "Maré baixa no cabo",
        "As mergulhadoras deixaram o porto antes do nascer do sol, e o mar ficou calmo até ao meio-dia daquele dia.",
        (
            "Publicado em 3 de março de 2025",
            "segunda-feira, 3 de março de 2025",
            "Por Ana Coral, 3 de Março de 2025",
            "3 mar 2025",
            "Atualizado em 3 de março de 2025",
            "2025-03-03 10:15",
        ),
    ),
    "nl": (
        "Eb bij de kaap",
        "De duiksters verlieten de haven voor zonsopgang, en de zee bleef rustig tot het middag was op die dag.",
        (
            "Geplaatst op 3 maart 2025",
            "maandag 3 maart 2025",
            "Door Hanna de Kok, 3 maart 2025",
            "3 mrt 2025",
            "Bijgewerkt op 3 maart 2025",
            "3 maart 2025 om 10:15",
        ),
    ),
    "ru": (
        "Отлив возле мыса",
        "Ныряльщицы вышли из гавани до рассвета, и море оставалось спокойным до самого полудня этого долгого дня.",
        (
            "Опубликовано 3 марта 2025 года",
            "3 марта 2025, 10:15",
            "Автор: Анна Ким, 3 марта 2025",
            "03.03.2025",
            "Обновлено 3 марта 2025",
            "понедельник, 3 марта 2025 года",
        ),
    ),
    "ko": (
        "곶의 썰물",
        "해녀들은 해가 뜨기 전에 항구를 떠났고, 바다는 그날 정오까지 잔잔했다. 아무도 그럴 줄 몰랐다고 한다.",
        (
            "2025년 3월 3일",
            "작성일 2025.03.03",
            "고한나 기자 | 2025-03-03 10:15",
            "등록 2025. 3. 3. 오전 10:15",
            "최종 수정 2025년 3월 3일",
            "입력 : 2025/03/03",
        ),
    ),
    "ja": (
        "岬の引き潮",
        "海女たちは日の出前に港を出て、海はその日の正午まで静かだった。誰もそうなるとは思っていなかったという。",
        (
            "2025年3月3日",
            "公開日: 2025/03/03",
            "文・田中花 2025年3月3日",
            "2025.03.03",
            "更新日: 2025年3月3日",
            "投稿日 2025-03-03 10:15",
        ),
    ),
}
LAYOUTS = (
    "<article><h1>{head}</h1><p class=info>{line}</p>{body}</article>",
    "<main><div class=meta>{line}</div><h1>{head}</h1>{body}</main>",
    "<div class=story><h1>{head}</h1><div class=byline>{line}</div><div class=text>{body}</div></div>",
    "<div id=content><h2>{head}</h2><span>{line}</span>{body}</div>",
    "<article><h1>{head}</h1>{body}<p class=note>{line}</p></article>",
    "<table><tr><td><h1>{head}</h1><tr><td>{line}<tr><td>{body}</table>",
)
FOOT = "<footer><p>© 2019 - 2021</p></footer>"
MODIFIED = 4  # the layout whose line says when the page was changed


@pytest.mark.parametrize("layout", range(len(LAYOUTS)))
@pytest.mark.parametrize("language", WRITTEN)
def test_the_date_that_readers_see_is_found(language: str, layout: int) -> None:
    head, sentences, lines = WRITTEN[language]
    body = "".join(f"<p>{sentences} {number}. {sentences}</p>" for number in range(4))
    shown = LAYOUTS[layout].format(head=head, line=lines[layout], body=body)
    page = f"<html lang={language}><title>{head}</title><nav><a href=/>2014</a></nav>{shown}{FOOT}"
    document = extract_site([("https://reef.example/tide", page)])[0]
    if layout == MODIFIED:
        assert (document.modified, document.modified_by, document.published) == ("2025-03-03", "text", "")
    else:
        assert (document.published, document.published_by) == ("2025-03-03", "text")
