-- What is written for a passage takes part in its own words and in its vector: search words stand beside the questions, in
-- place of a sentence of context, and the vector of the passage's text with both is kept where they are.
ALTER TABLE enrichments DROP COLUMN context;
ALTER TABLE enrichments ADD COLUMN words_json text NOT NULL DEFAULT '[]';
-- What made the vector. NULL: it has not been made.
ALTER TABLE enrichments ADD COLUMN embedder_id integer REFERENCES embedders (id);
ALTER TABLE enrichments ADD COLUMN bits bytea;
ALTER TABLE enrichments ADD COLUMN vector bytea;
ALTER TABLE enrichments ALTER COLUMN bits SET STORAGE PLAIN, ALTER COLUMN vector SET STORAGE EXTERNAL;
-- Looked for whenever something was written.
CREATE INDEX enrichments_without_vector ON enrichments (site_id, id) WHERE embedder_id IS NULL AND refused IS NULL;
-- Segments of what was written have other terms now: they are made anew, and what they were worth is measured again.
UPDATE segments SET finished = false WHERE kind = 'enrichments';
DELETE FROM enrichment_measures;
-- What had no word of its passage may be used now: it is written again.
DELETE FROM enrichments WHERE refused = 'unrelated';
-- What foreign questions reach is measured apart with what was written: a generation has a calibration of each revision.
ALTER TABLE calibrations DROP CONSTRAINT calibrations_pkey;
ALTER TABLE calibrations ADD PRIMARY KEY (site_id, generation, audience, revision);
