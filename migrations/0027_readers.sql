-- Who reads: what sites vouch for their readers with, the browsers of readers who have signed in, and whose a thread is.

CREATE TABLE reader_secrets (
  -- Stands in the head of tokens, as their kid.
  id           TEXT PRIMARY KEY,
  site_id      INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- What is signed with it is checked with it: its hash would not do.
  secret       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX reader_secrets_by_site ON reader_secrets (site_id);

-- Of the secret in a browser's cookie, only its hash is here.
CREATE TABLE reader_sessions (
  id           TEXT PRIMARY KEY,
  secret_hash  TEXT NOT NULL UNIQUE,
  -- The name of the provider that vouched for the reader, and what it calls its own session
  provider     TEXT NOT NULL,
  sid          TEXT,
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  name         TEXT,
  groups_json  TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX reader_sessions_by_reader ON reader_sessions (issuer, subject);

-- Whose it is, where they are known: nobody can tell from it who that is. NULL: it is everyone's who knows its id.
ALTER TABLE threads ADD COLUMN reader TEXT;
