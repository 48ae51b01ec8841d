-- What a model searched for and read before it answered, of a site whose model looks for itself.

-- A list of calls: the tool, what was asked of it, and how many passages that brought. Empty where it made none.
ALTER TABLE turns ADD COLUMN looks_json TEXT NOT NULL DEFAULT '[]';
