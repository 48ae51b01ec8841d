-- Where the pages of a source are published, as the last look at the site found it: while the site cannot be reached, they keep
-- the addresses that they had there.
CREATE TABLE published_pages (
  source_id     INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  path          TEXT NOT NULL,
  address       TEXT NOT NULL,
  title         TEXT NOT NULL,
  -- What its server said of this revision. NULL: the page is asked for anew.
  validator     TEXT,
  -- The text of each heading, with its id behind it.
  headings_json TEXT NOT NULL,
  -- The ids of other places.
  places_json   TEXT NOT NULL,
  PRIMARY KEY (source_id, path)
) STRICT, WITHOUT ROWID;
