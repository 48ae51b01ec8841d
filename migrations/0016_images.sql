-- Images that pages show, once for each content. One goes with the last page that shows it.
CREATE TABLE images (
  id      INTEGER PRIMARY KEY,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- SHA-256 of the content.
  hash    TEXT NOT NULL,
  type    TEXT NOT NULL,
  width   INTEGER,
  height  INTEGER,
  content BLOB NOT NULL,
  UNIQUE (site_id, hash)
) STRICT;

-- What each page calls its images. NULL: the source has no such image, or none that is shown.
CREATE TABLE page_images (
  page_id   INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  reference TEXT NOT NULL,
  image_id  INTEGER REFERENCES images (id),
  PRIMARY KEY (page_id, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_images_by_image ON page_images (image_id);
