-- The docs generator by which a run recognized its source. NULL: none.
ALTER TABLE source_runs ADD COLUMN generator TEXT;
