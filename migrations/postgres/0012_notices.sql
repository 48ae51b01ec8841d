-- Notices: where they go, what is known to be wrong, and what is still to be sent.

CREATE TABLE notice_destinations (
  id              text COLLATE "C" PRIMARY KEY,
  -- Whose it is; NULL: the server's own.
  organization_id text COLLATE "C" REFERENCES organizations (id) ON DELETE CASCADE,
  name            text NOT NULL,
  -- webhook, mail, chat, discord.
  channel         text NOT NULL,
  -- Of a chat, whoever knows it may write there.
  address         text NOT NULL,
  -- What webhooks are signed with; of the others there is none.
  secret          text,
  kinds_json      text NOT NULL,
  created_at      bigint NOT NULL
);
CREATE INDEX notice_destinations_by_organization ON notice_destinations (organization_id);

-- What is wrong at the moment. What is well again has no row.
CREATE TABLE notice_subjects (
  id       text COLLATE "C" PRIMARY KEY,
  kind     text NOT NULL,
  -- NULL: the server itself.
  site_id  integer REFERENCES sites (id) ON DELETE CASCADE,
  since    bigint NOT NULL,
  told_at  bigint NOT NULL
);
CREATE INDEX notice_subjects_by_site ON notice_subjects (site_id, kind);

-- A notice for one destination.
CREATE TABLE notices (
  id             text COLLATE "C" PRIMARY KEY,
  destination_id text COLLATE "C" NOT NULL REFERENCES notice_destinations (id) ON DELETE CASCADE,
  notice_json    text NOT NULL,
  made_at        bigint NOT NULL,
  tries          integer NOT NULL,
  -- NULL: it is not tried again.
  next_try_at    bigint,
  -- waiting, sent, failed.
  state          text NOT NULL,
  -- What came back the last time.
  says           text,
  tried_at       bigint
);
CREATE INDEX notices_by_destination ON notices (destination_id, made_at, id);
CREATE INDEX notices_waiting ON notices (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX notices_by_age ON notices (made_at);
