-- Where old addresses of a source's pages lead, as its docs say: each with its target behind it. NULL: as in the
-- generation before.
ALTER TABLE generations ADD COLUMN redirects_json TEXT;
