-- Keys for owners and programs.

-- Shown once when made, so only its hash is here.
CREATE TABLE admin_keys (
  id              TEXT PRIMARY KEY,
  name            TEXT NOT NULL,
  key_hash        TEXT NOT NULL UNIQUE,
  -- The organization it opens; NULL: the whole server.
  organization_id TEXT REFERENCES organizations (id) ON DELETE CASCADE,
  -- 0: it reads.
  may_write       INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  expires_at      INTEGER,
  revoked_at      INTEGER,
  last_used_at    INTEGER
) STRICT;
