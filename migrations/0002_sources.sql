-- Sources that are run again by themselves, what each run decided of each page, and vectors.

ALTER TABLE sources ADD COLUMN options_json TEXT NOT NULL DEFAULT '{}';
-- How often it is run; NULL on demand alone.
ALTER TABLE sources ADD COLUMN every_ms INTEGER;
ALTER TABLE sources ADD COLUMN next_run_at INTEGER;
-- Its pages are gone from the newest generation; the row goes when no kept generation shows them any more.
ALTER TABLE sources ADD COLUMN removed_at INTEGER;
CREATE INDEX sources_by_next_run ON sources (next_run_at) WHERE next_run_at IS NOT NULL;

-- Set when the site went back to an earlier generation and then on from there: its pages are gone, its number stays used.
ALTER TABLE generations ADD COLUMN undone_at INTEGER;

-- The oldest generation whose pages are all still there.
ALTER TABLE sites ADD COLUMN oldest_generation INTEGER NOT NULL DEFAULT 0;
UPDATE sites SET oldest_generation = coalesce((
  SELECT number FROM generations WHERE site_id = sites.id AND number IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET 2
), 0);

-- Every time that a source was read, whatever came of it.
CREATE TABLE source_runs (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id   INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  started_at  INTEGER NOT NULL,
  finished_at INTEGER,
  -- published, unchanged, incomplete, failed; NULL while it runs, and after a crash.
  outcome     TEXT,
  -- Why it failed or is incomplete, for people.
  message     TEXT,
  -- The generation it made; NULL where it changed nothing.
  generation  INTEGER,
  counts_json TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX source_runs_by_source ON source_runs (source_id, id);

-- What the last run that met a location found there and decided. The next one asks only for what has changed since.
CREATE TABLE ledger (
  source_id       INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  location        TEXT NOT NULL,
  run_id          INTEGER NOT NULL,
  path            TEXT,
  format          TEXT,
  found           TEXT NOT NULL,
  -- added, changed, unchanged, removed, kept, skipped.
  decision        TEXT NOT NULL,
  -- Why it was skipped or kept.
  reason          TEXT,
  detail          TEXT,
  passages        INTEGER,
  -- With the revision of the parser in it: what another one read is read again.
  content_hash    TEXT,
  validator       TEXT,
  links_json      TEXT NOT NULL DEFAULT '[]',
  took_ms         INTEGER NOT NULL,
  decided_at      INTEGER NOT NULL,
  PRIMARY KEY (source_id, location)
) STRICT, WITHOUT ROWID;

-- What made a set of vectors. Those of two of them cannot be compared.
CREATE TABLE embedders (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  identity   TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;

-- The embedder whose vectors the site's search uses: set when all of its passages have theirs.
ALTER TABLE sites ADD COLUMN embedder_id INTEGER REFERENCES embedders (id);

-- bits: the sign of each dimension. vector: one signed byte for each. NULL where the embedder knows nothing of the text.
CREATE TABLE passage_vectors (
  passage_id  INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
  embedder_id INTEGER NOT NULL REFERENCES embedders (id),
  bits        BLOB,
  vector      BLOB,
  PRIMARY KEY (passage_id, embedder_id)
) STRICT, WITHOUT ROWID;

-- Lists of text, for filters.
ALTER TABLE pages ADD COLUMN tags_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE pages ADD COLUMN groups_json TEXT NOT NULL DEFAULT '[]';

-- Names that a passage has in code, and where in its Markdown the headings of the short sections that were joined stand.
ALTER TABLE passages ADD COLUMN identifiers_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE passages ADD COLUMN inner_headings_json TEXT NOT NULL DEFAULT '[]';

-- The keyword index anew, with a field for identifiers as they are written. It is filled from the passages when the
-- database is opened next: what it holds is what src/search/analyze.ts makes of them.
DROP TABLE passage_vocabulary;
DROP TABLE passage_terms;
CREATE VIRTUAL TABLE passage_terms USING fts5 (
  site, title, headings, body, identifiers,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '-_.+#@/:$&%!?*=<>~^|'"
);
CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab (passage_terms, row);
