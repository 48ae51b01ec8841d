-- What a run recognized of a docs generator's site: pages, menu, some addresses, open questions. Kept of a source's last
-- run that recognized something. NULL: nothing.
ALTER TABLE source_runs ADD COLUMN docs_json TEXT;
-- Whether pages answer at their published addresses. NULL: nobody asked.
ALTER TABLE source_runs ADD COLUMN addresses_json TEXT;
