-- What the dashboard reads of turns, and questions that were kept to measure with.

-- All that the overview counts, so that it reads no answer. SQLite reads the turn itself where a column of the condition
-- is not in the index, so it is one of all turns and not of those that were not replaced.
CREATE INDEX turns_in_overview ON turns (
  site_id, replaced_at, created_at, outcome, cached, fp, queue_ms, first_token_ms, total_ms
);

-- Questions with the pages that should be found for them: what `docent eval` takes.
CREATE TABLE evaluation_questions (
  id            TEXT PRIMARY KEY,
  site_id       INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Where it came from. A turn that has grown old goes without it; one that is deleted on purpose takes it along.
  turn_id       TEXT REFERENCES turns (id) ON DELETE SET NULL,
  question      TEXT NOT NULL,
  -- Paths, with an anchor where a section is meant.
  expected_json TEXT NOT NULL,
  subset        TEXT NOT NULL DEFAULT '',
  version       TEXT NOT NULL DEFAULT '',
  language      TEXT NOT NULL DEFAULT '',
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX evaluation_questions_by_site ON evaluation_questions (site_id, created_at, id);
CREATE INDEX evaluation_questions_by_turn ON evaluation_questions (turn_id) WHERE turn_id IS NOT NULL;
