-- What kind of page it is: a word of model.pages.KINDS, as the crawl took it for; empty where nobody looked.
ALTER TABLE page ADD COLUMN kind TEXT NOT NULL DEFAULT '';
