-- Pages may be for groups. What is counted of a site is counted for those who see the same of it.

-- Who asked, as JSON: the groups of a reader, or "everything". NULL: nobody vouched for them.
ALTER TABLE turns ADD COLUMN audience_json text;

-- A calibration is of the pages that an audience sees: the groups as JSON, or everything.
ALTER TABLE calibrations ADD COLUMN audience text NOT NULL DEFAULT 'everything';
ALTER TABLE calibrations ALTER COLUMN audience DROP DEFAULT;
ALTER TABLE calibrations DROP CONSTRAINT calibrations_pkey;
ALTER TABLE calibrations ADD PRIMARY KEY (site_id, generation, audience);
