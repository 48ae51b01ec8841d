-- People who sign in to the dashboard.

CREATE TABLE members (
  id              TEXT PRIMARY KEY,
  name            TEXT NOT NULL,
  -- The name as it is compared: one in small letters is the same person's.
  name_key        TEXT NOT NULL UNIQUE,
  -- 1: manages every organization, and the server itself.
  is_server_owner INTEGER NOT NULL,
  -- NULL: was invited, and has chosen none yet.
  password_hash   TEXT,
  created_at      INTEGER NOT NULL,
  last_seen_at    INTEGER
) STRICT;

CREATE TABLE member_roles (
  member_id       TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- owner, viewer
  role            TEXT NOT NULL,
  PRIMARY KEY (member_id, organization_id)
) STRICT;
CREATE INDEX member_roles_by_organization ON member_roles (organization_id);

-- Links that are used once, to choose a password. Only their hashes are here.
CREATE TABLE member_links (
  link_hash  TEXT PRIMARY KEY,
  -- NULL: makes the server's first owner.
  member_id  TEXT REFERENCES members (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
-- A new one takes the place of the one before.
CREATE UNIQUE INDEX member_links_by_member ON member_links (coalesce(member_id, ''));

-- Browsers that are signed in. Of the secret in their cookie, only its hash is here.
CREATE TABLE member_sessions (
  id           TEXT PRIMARY KEY,
  secret_hash  TEXT NOT NULL UNIQUE,
  member_id    TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  address      TEXT NOT NULL,
  agent        TEXT NOT NULL
) STRICT;
CREATE INDEX member_sessions_by_member ON member_sessions (member_id);
