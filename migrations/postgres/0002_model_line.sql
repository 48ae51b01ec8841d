-- The line before the models that all servers share. Sequence numbers order what happened: who came, who was served, and who ended.
CREATE SEQUENCE model_line;

CREATE TABLE model_tickets (
  joined_at bigint  PRIMARY KEY,
  server_id text    NOT NULL,
  -- What that server calls it.
  number    bigint  NOT NULL,
  site_id   int     NOT NULL,
  reader    text    NOT NULL,
  again     boolean NOT NULL,
  -- Where it could be served, as JSON.
  choices   text    NOT NULL,
  -- Where it is served, and since when.
  address   text,
  served_at bigint,
  -- When it was answered, or left the line.
  ended_at  bigint,
  UNIQUE (server_id, number)
);
