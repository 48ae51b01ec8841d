-- Golden questions: what an owner wants readers to find, what runs made of it, and what a generation changed for readers.

CREATE TABLE golden_questions (
  id            TEXT PRIMARY KEY,
  site_id       INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Where it came from. A turn that has grown old goes without it; one that is deleted on purpose takes it along.
  turn_id       TEXT REFERENCES turns (id) ON DELETE SET NULL,
  -- hand, file, evaluation, liked, curated.
  origin        TEXT NOT NULL,
  question      TEXT NOT NULL,
  -- Paths, with an anchor where a section is meant.
  expected_json TEXT NOT NULL,
  version       TEXT NOT NULL DEFAULT '',
  language      TEXT NOT NULL DEFAULT '',
  -- The groups of whoever asks; NULL: an owner, who sees every page.
  groups_json   TEXT,
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX golden_questions_by_site ON golden_questions (site_id, created_at, id);
CREATE INDEX golden_questions_by_turn ON golden_questions (turn_id) WHERE turn_id IS NOT NULL;

-- What golden questions found in what a run had staged. Of the questions there are only the ids.
CREATE TABLE golden_checks (
  id              TEXT PRIMARY KEY,
  site_id         INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  source_id       INTEGER REFERENCES sources (id) ON DELETE SET NULL,
  -- The generation that readers saw, and what the run became; NULL: it was not published.
  before          INTEGER NOT NULL,
  generation      INTEGER,
  refused         INTEGER NOT NULL,
  comparison_json TEXT NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX golden_checks_by_site ON golden_checks (site_id, created_at, id);
CREATE INDEX golden_checks_by_source ON golden_checks (source_id);

-- What readers' questions found in a generation and in the one before. Of the questions there are only the turns.
CREATE TABLE generation_reports (
  site_id     INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  number      INTEGER NOT NULL,
  report_json TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (site_id, number)
) STRICT, WITHOUT ROWID;
