-- The answers that addresses are reading, on all servers. What is here is worth nothing once its server is gone: a crash of
-- PostgreSQL empties it.
CREATE UNLOGGED TABLE stream_places (
  id        text COLLATE "C" PRIMARY KEY,
  subject   text COLLATE "C" NOT NULL,
  server_id text NOT NULL
);
CREATE INDEX stream_places_by_subject ON stream_places (subject);
