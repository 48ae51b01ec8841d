-- Pages may be for groups. What is counted of a site is counted for those who see the same of it.

-- Who asked, as JSON: the groups of a reader, or "everything". NULL: nobody vouched for them.
ALTER TABLE turns ADD COLUMN audience_json TEXT;

-- A calibration is of the pages that an audience sees.
CREATE TABLE calibrations_of_audiences (
  site_id            INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- The generation's number.
  generation         INTEGER NOT NULL,
  -- The groups as JSON, or everything.
  audience           TEXT NOT NULL,
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
  PRIMARY KEY (site_id, generation, audience)
) STRICT, WITHOUT ROWID;
INSERT INTO calibrations_of_audiences
  SELECT site_id, generation, 'everything', embedder_id, revision, covered_mean, covered_deviation, near_mean,
    near_deviation, familiar_mean, familiar_deviation
  FROM calibrations;
DROP TABLE calibrations;
ALTER TABLE calibrations_of_audiences RENAME TO calibrations;
