-- Which turn a question follows, where its asker named one: a thread may branch.

-- NULL: the one before it in the thread.
ALTER TABLE turns ADD COLUMN previous_turn_id TEXT;
