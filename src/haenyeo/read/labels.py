"""What headings and other short labels say of what follows them: `Related products`, `댓글`, `Description`.

Each word belongs to one kind of part.
"""

from __future__ import annotations

import functools
import re

_PARTS = {
    "elsewhere": "related similar recommended recommendations recommend suggested also more next latest recent recently"
    " popular trending viewed other others bestsellers sponsored featured headlines collections bought"
    " 관련 추천 최신 최근 인기 다른 이전 다음 목록 비슷한 연관"
    " ähnliche ähnlich empfohlen empfehlungen auch weitere mehr neueste beliebt angesehen verwandte andere"
    " similaires recommandés recommandations aussi autres derniers dernières récents populaires associés suggestions"
    " relacionados relacionadas similares recomendados también más otros otras últimos últimas recientes populares"
    " correlati simili consigliati anche altri altre ultimi ultime recenti popolari"
    " relacionado semelhantes também mais outros recomendado últimas vistos"
    " похожие рекомендуем рекомендуемые также другие последние популярные смотрите связанные новые"
    " gerelateerd vergelijkbare ook meer aanbevolen andere související podobné další také doporučujeme nejnovější"
    " podobne powiązane polecane także inne najnowsze popularne liknande relaterade också fler senaste"
    " benzer ilgili önerilen diğer popüler"
    " 関連記事 関連 関連商品 おすすめ 人気 人気記事 最新記事 新着記事 最近 こちらも 相关文章 相关 相关推荐 推荐"
    " 热门 最新文章 最新 猜你喜欢 相關文章 推薦 熱門",
    "talk": "comment comments reply replies review reviews rating ratings responses discussion testimonials feedback"
    " 댓글 덧글 답글 리뷰 후기 상품평 의견 방명록 kommentar kommentare bewertung bewertungen rezensionen antworten"
    " commentaire commentaires avis réponses comentario comentarios opiniones reseñas valoraciones respuestas commenti"
    " recensioni commento risposte comentários avaliações respostas комментарии комментарий отзывы ответы reacties"
    " beoordelingen komentáře recenze komentarze opinie kommentarer recensioner yorumlar değerlendirmeler"
    " コメント レビュー 口コミ 评论 評論 留言 评价 发表评论",
    "service": "newsletter subscribe subscription follow share sharing shipping delivery returns refund payment account"
    " login register search menu navigation categories category tags tag archive archives sitemap sponsors"
    " advertisement copyright privacy cookies cookie policy terms social connect links quick widgets blogroll author"
    " 구독 공유 공유하기 배송 교환 반품 환불 검색 메뉴 카테고리 태그 로그인 글쓴이 작성자 공지사항 링크 아카이브"
    " abonnieren teilen versand lieferung rückgabe zahlung anmelden suche navigation kategorien schlagwörter autor"
    " partager livraison retours paiement recherche catégories étiquettes auteur suivez abonnez inscrivez"
    " suscríbete compartir envío envíos devoluciones pago buscar categorías etiquetas síguenos iscriviti condividi"
    " spedizione resi pagamento cerca categorie seguici inscreva compartilhar compartilhe envio pagamento categorias"
    " siga подписка подписаться поделиться доставка возврат оплата поиск рубрики метки теги меню войти delen verzending"
    " zoeken sdílet doprava hledat kategorie štítky udostępnij dostawa szukaj dela frakt sök paylaş kargo arama"
    " シェア 送料 検索 カテゴリー タグ メニュー ログイン 著者 分享 搜索 分类 标签 导航 订阅 關於 作者 归档",
    "own": "description details specification specifications specs features overview ingredients dimensions materials"
    " summary introduction abstract synopsis examples example parameters usage installation requirements faq contents"
    " highlights instructions product item information summary arguments returns notes"
    " 설명 상세 상세정보 특징 개요 요약 소개 사용법 예제 설치 사양 제품 정보 결론 들어가며"
    " beschreibung produktdetails eigenschaften merkmale technische daten übersicht zusammenfassung einleitung"
    " caractéristiques détails résumé aperçu conseils composition descripción características detalles resumen"
    " información adicional descrizione caratteristiche dettagli riassunto descrição características detalhes"
    " описание характеристики особенности обзор введение beschrijving kenmerken popis parametry opis specyfikacja"
    " beskrivning egenskaper özellikler 商品説明 概要 特徴 仕様 説明 はじめに まとめ 简介 概述 描述 规格 特点 说明",
}
KINDS = tuple(_PARTS)
"""Kinds of parts that labels name."""

LONGEST = 70
"""Characters of a label."""

_KIND_OF: dict[str, int] = {word: 1 << bit for bit, words in enumerate(_PARTS.values()) for word in words.split()}
_SMALL_WORDS = (
    "a an the of and or to for in on by with from this that these those you your yours we our us may might like it is"
    " all most read see view show leave write add post posts article articles products items stories news topics"
    " pages s und der die das zu von für le la les de des du et à vous el los las y en il i gli e di o os da do"
    " artikel produkte beiträge produits artículos productos articoli prodotti artigos produtos"
    " 상품 글 포스트 게시글 작성 남기기 보기"
)
_SMALL = frozenset(_SMALL_WORDS.split())
MOST_WORDS = 9
"""Words of a label."""

TELLING = dict.fromkeys(_SMALL, 0) | _KIND_OF
"""The words that labels consist of, and the kinds that they name, a bit each."""

_WORD = re.compile(r"[^\W\d_]+")


def kinds_in_line(text: str) -> int:
    """The kinds that a label of this text names if it is no heading, a bit each; most lines are told by a word."""
    first = _WORD.search(text)
    return kinds_in(text)[1] if first and first[0].lower() in TELLING else 0


@functools.lru_cache(maxsize=1 << 13)
def kinds_in(text: str) -> tuple[int, int]:
    """The kinds that a heading of this text names, a bit each, and those that it names if it is no heading.

    Half of a heading's words, and all of any other label's, must be such words, or small ones beside them.
    """
    words = _WORD.findall(text.lower()) if len(text) <= LONGEST else []
    if not 0 < len(words) <= MOST_WORDS:
        return 0, 0
    kinds, telling = 0, 0
    for word in words:
        kind = _KIND_OF.get(word, 0)
        kinds |= kind
        telling += bool(kind) or word in _SMALL
    return kinds if 2 * telling >= len(words) else 0, kinds if telling == len(words) else 0
