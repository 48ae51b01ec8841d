-- Notices: where they go, what is known to be wrong, and what is still to be sent.

CREATE TABLE notice_destinations (
  id              TEXT PRIMARY KEY,
  -- Whose it is; NULL: the server's own.
  organization_id TEXT REFERENCES organizations (id) ON DELETE CASCADE,
  name            TEXT NOT NULL,
  -- webhook, mail, chat, discord.
  channel         TEXT NOT NULL,
  -- Of a chat, whoever knows it may write there.
  address         TEXT NOT NULL,
  -- What webhooks are signed with; of the others there is none.
  secret          TEXT,
  kinds_json      TEXT NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX notice_destinations_by_organization ON notice_destinations (organization_id);

-- What is wrong at the moment. What is well again has no row.
CREATE TABLE notice_subjects (
  id       TEXT PRIMARY KEY,
  kind     TEXT NOT NULL,
  -- NULL: the server itself.
  site_id  INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  since    INTEGER NOT NULL,
  told_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX notice_subjects_by_site ON notice_subjects (site_id, kind);

-- A notice for one destination.
CREATE TABLE notices (
  id             TEXT PRIMARY KEY,
  destination_id TEXT NOT NULL REFERENCES notice_destinations (id) ON DELETE CASCADE,
  notice_json    TEXT NOT NULL,
  made_at        INTEGER NOT NULL,
  tries          INTEGER NOT NULL,
  -- NULL: it is not tried again.
  next_try_at    INTEGER,
  -- waiting, sent, failed.
  state          TEXT NOT NULL,
  -- What came back the last time.
  says           TEXT,
  tried_at       INTEGER
) STRICT;
CREATE INDEX notices_by_destination ON notices (destination_id, made_at, id);
CREATE INDEX notices_waiting ON notices (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX notices_by_age ON notices (made_at);
