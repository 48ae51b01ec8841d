-- What readers say of answers, what they search for, and what they click.

-- What a reader said of an answer last. Its place in a list is where it was said first, so that changing it moves nothing.
CREATE TABLE feedback (
  turn_id    TEXT PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
  site_id    INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  helpful    INTEGER NOT NULL,
  comment    TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_by_time ON feedback (site_id, created_at, turn_id);

-- What was searched for, not by whom.
CREATE TABLE searches (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id    INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- In lower case, with single spaces: so that the same search is counted as one.
  query      TEXT NOT NULL,
  -- How many passages it gave.
  results    INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- Both hold all that counting needs.
CREATE INDEX searches_by_time ON searches (site_id, created_at);
CREATE INDEX searches_by_query ON searches (site_id, query, created_at, results);

CREATE TABLE events (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id    INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- search_click, source_click, suggestion_click.
  type       TEXT NOT NULL,
  -- As in searches; NULL where none was named.
  query      TEXT,
  path       TEXT NOT NULL,
  -- The answer that was clicked in, where the reader showed to know its thread.
  turn_id    TEXT REFERENCES turns (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_time ON events (site_id, created_at);
CREATE INDEX events_by_query ON events (site_id, type, query, created_at, path);
CREATE INDEX events_by_turn ON events (turn_id) WHERE turn_id IS NOT NULL;

-- Conversations in the order in which they are listed, with all that counting them by caller needs.
CREATE INDEX turns_in_conversations ON turns (site_id, replaced_at, created_at, id, caller);
