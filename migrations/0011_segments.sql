-- A keyword index of our own, in segments: each has some of a site's passages, with the lists of where their terms are.
CREATE TABLE segments (
  -- Never given again: what is read of a segment may be remembered by it.
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id  INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- 1: it is whole, and readers use it. 0: it is being written or taken away.
  finished INTEGER NOT NULL DEFAULT 0,
  passages INTEGER NOT NULL DEFAULT 0,
  -- Of its rows.
  bytes    INTEGER NOT NULL DEFAULT 0,
  -- What cut and encoded it.
  revision TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX segments_in_site ON segments (site_id, finished);

-- id: the segment's, times 2 to the 24th, and the row's number. By one number a row of up to 4,050 bytes lies in one page
-- of the file, which with a key of two columns it does not.
CREATE TABLE segment_rows (
  id    INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
CREATE TRIGGER segment_rows_go AFTER DELETE ON segments BEGIN
  DELETE FROM segment_rows WHERE id BETWEEN old.id * 16777216 AND old.id * 16777216 + 16777215;
END;

-- A site's passages in their order, also for what goes with a site.
CREATE INDEX passages_in_site ON passages (site_id);

-- All that a filter asks of a page, without its row.
DROP INDEX pages_in_site;
CREATE INDEX pages_in_site
  ON pages (site_id, kind, id, hidden, version, language, born, died, tags_json, groups_json);
