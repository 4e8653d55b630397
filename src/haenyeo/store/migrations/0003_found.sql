-- What a visit found in comparison with the last content: a word of model.visits.Found. Earlier visits are told apart as far as
-- their rows say.
ALTER TABLE visit ADD COLUMN found TEXT NOT NULL DEFAULT 'nothing';
UPDATE visit SET found = CASE
    WHEN outcome = 'gone' THEN 'gone'
    WHEN outcome NOT IN ('page', 'duplicate', 'listing', 'unchanged') THEN 'nothing'
    WHEN changed IS NULL THEN 'new'
    WHEN changed THEN 'changed'
    WHEN status = 304 THEN 'not modified'
    WHEN body_visit IS NOT NULL THEN 'same bytes'
    ELSE 'same text' END;
