-- Who did what to the server and its sites, and when. It names what may be gone, so that it refers to no other table.

CREATE TABLE audit_entries (
  id                 TEXT PRIMARY KEY,
  at                 INTEGER NOT NULL,
  -- What was done to what, such as assistant-key.created
  kind               TEXT NOT NULL,
  -- member, admin-key, command-line, server, nobody
  actor_kind         TEXT NOT NULL,
  -- Of a member or a key, with the name that it had then
  actor_id           TEXT,
  actor_name         TEXT,
  -- The organizations whose owners may read it: a list of ids
  organizations_json TEXT NOT NULL,
  -- The domain of the site
  site               TEXT,
  subject_id         TEXT,
  subject_name       TEXT,
  -- What entries of its kind tell besides
  details_json       TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entries_by_time ON audit_entries (at, id);

-- Entries are added, and removed when they are too old.
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit log stays as it is');
END;
