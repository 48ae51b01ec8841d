-- Answers that only quote what comes nearest are no answers that helped either.
DROP INDEX turns_unanswered;
CREATE INDEX turns_unanswered ON turns (site_id, created_at)
WHERE outcome IN ('unanswered', 'touched') AND replaced_at IS NULL;
