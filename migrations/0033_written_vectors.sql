-- What is written for a passage takes part in its own words and in its vector: search words stand beside the questions, in
-- place of a sentence of context, and the vector of the passage's text with both is kept where they are.
ALTER TABLE enrichments DROP COLUMN context;
ALTER TABLE enrichments ADD COLUMN words_json TEXT NOT NULL DEFAULT '[]';
-- What made the vector. NULL: it has not been made.
ALTER TABLE enrichments ADD COLUMN embedder_id INTEGER REFERENCES embedders (id);
ALTER TABLE enrichments ADD COLUMN bits BLOB;
ALTER TABLE enrichments ADD COLUMN vector BLOB;
-- Looked for whenever something was written.
CREATE INDEX enrichments_without_vector ON enrichments (site_id, id) WHERE embedder_id IS NULL AND refused IS NULL;
-- Segments of what was written have other terms now: they are made anew, and what they were worth is measured again.
UPDATE segments SET finished = 0 WHERE kind = 'enrichments';
DELETE FROM enrichment_measures;
-- What had no word of its passage may be used now: it is written again.
DELETE FROM enrichments WHERE refused = 'unrelated';
-- What foreign questions reach is measured apart with what was written: a generation has a calibration of each revision.
CREATE TABLE calibrations_by_revision (
  site_id            INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- The generation's number.
  generation         INTEGER NOT NULL,
  -- The groups as JSON, or everything.
  audience           TEXT NOT NULL,
  -- Whose similarities they are. 0: the site had no vectors.
  embedder_id        INTEGER NOT NULL,
  -- What asked the questions and took the evidence, and whether of what was written, too.
  revision           INTEGER NOT NULL,
  covered_mean       REAL NOT NULL,
  covered_deviation  REAL NOT NULL,
  near_mean          REAL,
  near_deviation     REAL,
  familiar_mean      REAL NOT NULL,
  familiar_deviation REAL NOT NULL,
  PRIMARY KEY (site_id, generation, audience, revision)
) STRICT, WITHOUT ROWID;
INSERT INTO calibrations_by_revision SELECT * FROM calibrations;
DROP TABLE calibrations;
ALTER TABLE calibrations_by_revision RENAME TO calibrations;
