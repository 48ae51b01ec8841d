-- The menu of a source's pages, as the generator of its docs makes it. NULL: as in the generation before.
ALTER TABLE generations ADD COLUMN menu_json TEXT;
