-- How many pages have changed since the calibration was measured: while they are few, the next generation takes it over.
ALTER TABLE calibrations ADD COLUMN pages_changed INTEGER NOT NULL DEFAULT 0;
