-- What questions that have nothing to do with a site reach there: the mean and the deviation of each kind of evidence. A
-- generation has its own, so that going back brings back the one that fits.
CREATE TABLE calibrations (
  site_id            INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- The generation's number.
  generation         INTEGER NOT NULL,
  -- Whose similarities they are. 0: the site had no vectors.
  embedder_id        INTEGER NOT NULL,
  -- What asked the questions and took the evidence.
  revision           INTEGER NOT NULL,
  covered_mean       REAL NOT NULL,
  covered_deviation  REAL NOT NULL,
  near_mean          REAL,
  near_deviation     REAL,
  familiar_mean      REAL NOT NULL,
  familiar_deviation REAL NOT NULL,
  PRIMARY KEY (site_id, generation)
) STRICT, WITHOUT ROWID;
