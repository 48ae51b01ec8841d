-- Who reads: what sites vouch for their readers with, the browsers of readers who have signed in, and whose a thread is.

CREATE TABLE reader_secrets (
  -- Stands in the head of tokens, as their kid.
  id           text COLLATE "C" PRIMARY KEY,
  site_id      integer NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- What is signed with it is checked with it: its hash would not do.
  secret       text NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX reader_secrets_by_site ON reader_secrets (site_id);

-- Of the secret in a browser's cookie, only its hash is here.
CREATE TABLE reader_sessions (
  id           text COLLATE "C" PRIMARY KEY,
  secret_hash  text NOT NULL UNIQUE,
  -- The name of the provider that vouched for the reader, and what it calls its own session
  provider     text NOT NULL,
  sid          text,
  issuer       text NOT NULL,
  subject      text NOT NULL,
  name         text,
  groups_json  text NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at   bigint NOT NULL
);
CREATE INDEX reader_sessions_by_reader ON reader_sessions (issuer, subject);

-- Whose it is, where they are known: nobody can tell from it who that is. NULL: it is everyone's who knows its id.
ALTER TABLE threads ADD COLUMN reader text;
