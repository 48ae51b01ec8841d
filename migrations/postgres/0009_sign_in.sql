-- Members whom a provider or a proxy vouches for, and what may be used once.

-- Who vouches for them, and what that one calls them; NULL: they have a password.
ALTER TABLE members ADD COLUMN issuer text COLLATE "C";
ALTER TABLE members ADD COLUMN subject text COLLATE "C";
-- The provider's name in the sign-in file, when they came last.
ALTER TABLE members ADD COLUMN provider text;
CREATE UNIQUE INDEX members_by_subject ON members (issuer, subject) WHERE issuer IS NOT NULL;

-- NULL: began with a password.
ALTER TABLE member_sessions ADD COLUMN provider text;
-- What the provider calls its own session, by which it ends this one.
ALTER TABLE member_sessions ADD COLUMN sid text COLLATE "C";
-- Shown to the provider when the member signs out.
ALTER TABLE member_sessions ADD COLUMN id_token text;
-- When it ends at the latest, where that is not what the settings say.
ALTER TABLE member_sessions ADD COLUMN ends_at bigint;
CREATE INDEX member_sessions_by_sid ON member_sessions (sid) WHERE sid IS NOT NULL;

-- Sign-ins and notices of providers that were used. Only their hashes are here.
CREATE TABLE used_once (
  hash  text COLLATE "C" PRIMARY KEY,
  -- Nobody could use it again from then on.
  until bigint NOT NULL
);
CREATE INDEX used_once_by_time ON used_once (until);
