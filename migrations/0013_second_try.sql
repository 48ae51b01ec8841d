-- What a model wrote in place of a question that the docs did not seem to cover, and how long it took.

-- A list of questions; empty where no model was asked, or wrote none.
ALTER TABLE turns ADD COLUMN rewritten_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE turns ADD COLUMN rewrite_ms INTEGER;
