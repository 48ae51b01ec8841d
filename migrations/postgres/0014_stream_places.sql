-- The answers that addresses are reading, on all servers. What is here is worth nothing once its server is gone. It is logged
-- all the same: on a replica a table that is not can't even be read, where readers are still answered.
CREATE TABLE stream_places (
  id        text COLLATE "C" PRIMARY KEY,
  subject   text COLLATE "C" NOT NULL,
  server_id text NOT NULL
);
CREATE INDEX stream_places_by_subject ON stream_places (subject);
