-- Whether words are missing in the passage that its page shows: such a passage is found and cited, and never quoted.
ALTER TABLE passages ADD COLUMN lacks_words boolean NOT NULL DEFAULT false;
