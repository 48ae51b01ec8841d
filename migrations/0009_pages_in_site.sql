-- Which pages of a site are alive, without their rows.

-- All that tells whether a page is there, and the names of versions and languages. In a row these stand behind the page's
-- whole text, and SQLite reads all of that to reach them.
CREATE INDEX pages_in_site ON pages (site_id, kind, id, hidden, version, language, born, died);
