-- What a model wrote for passages, where an owner turned it on: questions that a passage answers, and a sentence of
-- context. A passage that comes again unchanged is known by its content.
CREATE TABLE enrichments (
  -- Never given again: what is remembered of a row may be remembered by it.
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id        INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- The hash of the title, headings and text that the model read.
  content_key    TEXT NOT NULL,
  questions_json TEXT NOT NULL,
  context        TEXT NOT NULL,
  -- Why what the model wrote is not used. NULL: it is.
  refused        TEXT,
  model          TEXT NOT NULL,
  made_at        INTEGER NOT NULL,
  UNIQUE (site_id, content_key)
) STRICT;

-- The passages with that content, of whichever generation.
CREATE TABLE enriched_passages (
  passage_id    INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
  enrichment_id INTEGER NOT NULL REFERENCES enrichments (id) ON DELETE CASCADE,
  site_id       INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX enriched_passages_of ON enriched_passages (enrichment_id);
CREATE INDEX enriched_passages_in_site ON enriched_passages (site_id, passage_id);
-- What was written goes with the last passage that it was written for.
CREATE TRIGGER enrichments_go AFTER DELETE ON enriched_passages BEGIN
  DELETE FROM enrichments WHERE id = old.enrichment_id
    AND NOT EXISTS (SELECT 1 FROM enriched_passages WHERE enrichment_id = old.enrichment_id);
END;

-- The time that models wrote on a day, for all sites. The number of days since 1970.
CREATE TABLE enrichment_days (
  day      INTEGER PRIMARY KEY,
  spent_ms INTEGER NOT NULL
) STRICT;

-- What search finds with and without it, asked of a site with its owner's questions.
CREATE TABLE enrichment_measures (
  site_id      INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  measured_at  INTEGER NOT NULL,
  -- 1: search does not lose by it.
  helps        INTEGER NOT NULL,
  measure_json TEXT NOT NULL
) STRICT;

-- What a segment is made of: passages, or what a model wrote for them.
ALTER TABLE segments ADD COLUMN kind TEXT NOT NULL DEFAULT 'passages';
