-- Who did what to the server and its sites, and when. It names what may be gone, so that it refers to no other table.

CREATE TABLE audit_entries (
  id                 text COLLATE "C" PRIMARY KEY,
  at                 bigint NOT NULL,
  -- What was done to what, such as assistant-key.created
  kind               text NOT NULL,
  -- member, admin-key, command-line, server, nobody
  actor_kind         text NOT NULL,
  -- Of a member or a key, with the name that it had then
  actor_id           text,
  actor_name         text,
  -- The organizations whose owners may read it: a list of ids
  organizations_json text NOT NULL,
  -- The domain of the site
  site               text,
  subject_id         text,
  subject_name       text,
  -- What entries of its kind tell besides
  details_json       text NOT NULL
);
CREATE INDEX audit_entries_by_time ON audit_entries (at, id);

-- Entries are added, and removed when they are too old.
CREATE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an entry of the audit log stays as it is';
END;
$$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION audit_entries_stay();
