-- Which questions without an answer belong together, and what is left of turns that were deleted.

CREATE TABLE gaps (
  id               TEXT PRIMARY KEY,
  site_id          INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- open, documented, dismissed.
  state            TEXT NOT NULL DEFAULT 'open',
  state_at         INTEGER NOT NULL,
  -- The generation that readers saw then: a later one may answer it.
  state_generation INTEGER NOT NULL,
  -- What came of asking it again in a later generation.
  asked_at         INTEGER,
  asked_generation INTEGER,
  asked_answered   INTEGER,
  asked_relevance  REAL,
  asked_path       TEXT,
  asked_curated    TEXT
) STRICT;
CREATE INDEX gaps_by_site ON gaps (site_id);

-- The question itself stays in its turn, and goes with it. The number says in which order they were placed.
CREATE TABLE gap_questions (
  number            INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id           TEXT NOT NULL UNIQUE REFERENCES turns (id) ON DELETE CASCADE,
  gap_id            TEXT NOT NULL REFERENCES gaps (id) ON DELETE CASCADE,
  site_id           INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- nothing_near, below_gate, declined, disliked.
  reason            TEXT NOT NULL,
  nearest_path      TEXT,
  nearest_relevance REAL
) STRICT;
CREATE INDEX gap_questions_by_gap ON gap_questions (gap_id);
CREATE INDEX gap_questions_by_site ON gap_questions (site_id, number);
CREATE INDEX turns_unanswered ON turns (site_id, created_at) WHERE outcome = 'unanswered' AND replaced_at IS NULL;
CREATE INDEX feedback_disliked ON feedback (site_id, turn_id) WHERE helpful = 0;

-- How many turns of a day have been deleted since. Who asked what is gone.
CREATE TABLE turn_counts (
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- In UTC, as 2026-01-31.
  day     TEXT NOT NULL,
  outcome TEXT NOT NULL,
  caller  TEXT NOT NULL,
  count   INTEGER NOT NULL,
  PRIMARY KEY (site_id, day, outcome, caller)
) STRICT, WITHOUT ROWID;

-- Those of one reader can be deleted; `anonymous` is everyone.
CREATE INDEX turns_by_reader ON turns (site_id, fp) WHERE fp <> 'anonymous';
