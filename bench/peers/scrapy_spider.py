"""Scrapy at its fastest: follows links, writes all text.   python scrapy_spider.py START OUT PAGES PROXY"""

# mypy: ignore-errors
from __future__ import annotations

import logging
import os
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

SETTINGS = {
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REFERER_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_ENABLED": False,
    "FEED_EXPORT_ENCODING": "utf-8",
}


class Everything(scrapy.Spider):
    """Follows every link of every page."""

    name = "everything"

    def parse(self, response):
        """One item, then one request for each link."""
        if not hasattr(response, "xpath"):
            return
        text = response.xpath("string(//body)").get()
        yield {"url": response.url, "title": response.xpath("string(//title)").get(), "text": text}
        for href in set(response.xpath("//a/@href").getall()):
            if response.urljoin(href).startswith("http"):
                yield scrapy.Request(response.urljoin(href))


os.environ["http_proxy"] = sys.argv[4]
logging.disable(logging.WARNING)
process = CrawlerProcess(
    SETTINGS | {"CLOSESPIDER_PAGECOUNT": int(sys.argv[3]), "FEEDS": {sys.argv[2]: {"format": "jsonlines"}}}
)
process.crawl(Everything, start_urls=[sys.argv[1]])
process.start()
