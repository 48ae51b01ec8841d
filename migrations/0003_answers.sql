-- Answers that people wrote, answers that are given again, and how well an answer rests on its passages.

-- The share of an answer's sentences that a retrieved passage carries; NULL where no model wrote it.
ALTER TABLE turns ADD COLUMN support_share REAL;
-- 1: the answer was written for an earlier question of the same words.
ALTER TABLE turns ADD COLUMN cached INTEGER NOT NULL DEFAULT 0;
-- The curated answer that was given, by its name.
ALTER TABLE turns ADD COLUMN curated TEXT;

-- page, or answer: a curated answer in a source's folder answers/. It lives and dies with generations as pages do, and
-- has no passages.
ALTER TABLE pages ADD COLUMN kind TEXT NOT NULL DEFAULT 'page';
CREATE INDEX pages_by_answer ON pages (site_id) WHERE kind = 'answer';
-- The run in which its file last changed, where that was before this revision was born: another Docent may read the same
-- file anew.
ALTER TABLE pages ADD COLUMN changed_in INTEGER;

-- Curated answers that were added by hand. Those of sources are pages.
CREATE TABLE curated_answers (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id       INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name          TEXT NOT NULL,
  version       TEXT NOT NULL DEFAULT '',
  language      TEXT NOT NULL DEFAULT '',
  -- As it was given, its front matter with the questions included.
  markdown      TEXT NOT NULL,
  -- The generation that readers saw when it was written: pages that changed in a later one have changed since.
  generation    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  UNIQUE (site_id, name, version, language)
) STRICT;

-- Whole answers, given again when the same first question comes. The key is a hash of all that an answer depends on
-- besides the generation.
CREATE TABLE cached_answers (
  id          INTEGER PRIMARY KEY,
  site_id     INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  generation  INTEGER NOT NULL,
  key         TEXT NOT NULL,
  answer_json TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  used_at     INTEGER NOT NULL,
  UNIQUE (site_id, generation, key)
) STRICT;
CREATE INDEX cached_answers_by_use ON cached_answers (used_at);
