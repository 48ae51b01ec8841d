-- What a run that was asked for came to, when several processes did it: the runs of its source after this one are its own.

ALTER TABLE run_jobs ADD COLUMN after_run integer;
