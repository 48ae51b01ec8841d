-- The version and the language of a page are its own: sources with a site of several languages have pages of each.

-- Of a page in the main language of its docs, its translations: their paths by their languages. It stands for all other
-- languages, too. NULL: the page is of its language alone.
ALTER TABLE pages ADD COLUMN translations_json TEXT;

-- A page's identity is (source_id, path): its marks may change.
DROP INDEX pages_by_identity;
CREATE UNIQUE INDEX pages_by_identity ON pages (source_id, path, born);

DROP INDEX pages_in_site;
CREATE INDEX pages_in_site
  ON pages (site_id, kind, id, hidden, version, language, translations_json, born, died, tags_json, groups_json);
