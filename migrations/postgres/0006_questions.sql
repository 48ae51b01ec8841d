-- Questions out of trackers are pages of a kind of their own: search ranks them below docs.

-- Of such a page, the day on which it was answered; empty where that is not known. NULL: a page of docs.
ALTER TABLE pages ADD COLUMN answered text;

CREATE INDEX pages_of_questions ON pages (site_id, id, born, died) WHERE answered IS NOT NULL;
