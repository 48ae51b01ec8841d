-- Archives that owners sent, in pieces: every server reads them. On SQLite they are files of the data directory.
CREATE TABLE upload_pieces (
  source_id integer NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  number    integer NOT NULL,
  -- Which upload it is a piece of: the moment at which it came, the same for all of its pieces.
  revision  bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000000)::bigint,
  bytes     bytea NOT NULL,
  PRIMARY KEY (source_id, number)
);
-- Archives are compact already.
ALTER TABLE upload_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
