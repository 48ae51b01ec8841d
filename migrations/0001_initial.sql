-- Times are milliseconds since 1970. Columns that hold JSON say so in their name.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE organizations (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sites (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  domain          TEXT NOT NULL UNIQUE,
  name            TEXT NOT NULL,
  url             TEXT,
  -- The host of the url: some clients name a site by it.
  host            TEXT,
  settings_json   TEXT NOT NULL,
  -- The number of the generation that readers see; 0 before the first one.
  generation      INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX sites_by_host ON sites (host) WHERE host IS NOT NULL;

CREATE TABLE assistant_keys (
  id              TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name            TEXT NOT NULL,
  -- Public by design, and shown again in the snippet, so it is stored readable.
  key             TEXT NOT NULL UNIQUE,
  -- 1: every site of the organization, those to come included. 0: the ones in assistant_key_sites, and no other.
  all_sites       INTEGER NOT NULL,
  addresses_json  TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  expires_at      INTEGER,
  revoked_at      INTEGER,
  last_used_at    INTEGER
) STRICT;

CREATE TABLE assistant_key_sites (
  key_id  TEXT NOT NULL REFERENCES assistant_keys (id) ON DELETE CASCADE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  PRIMARY KEY (key_id, site_id)
) STRICT, WITHOUT ROWID;

-- How many units each subject took in each slice of time. A row is of use until its window has passed.
CREATE TABLE limit_counts (
  meter      TEXT NOT NULL,
  subject    TEXT NOT NULL,
  slice      INTEGER NOT NULL,
  count      INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (meter, subject, slice)
) STRICT, WITHOUT ROWID;
CREATE INDEX limit_counts_by_end ON limit_counts (expires_at);

-- Where a site's pages come from. The same folder ingested as two versions is two sources.
CREATE TABLE sources (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id    INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  location   TEXT NOT NULL,
  version    TEXT NOT NULL DEFAULT '',
  language   TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (site_id, kind, location, version, language)
) STRICT;

-- A run of a source. Its number is given at the switch: until then all that it stages is invisible,
-- and the switch itself writes two rows however large the site is.
CREATE TABLE generations (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id     INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  source_id   INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  number      INTEGER,
  counts_json TEXT NOT NULL DEFAULT '{}',
  started_at  INTEGER NOT NULL,
  finished_at INTEGER,
  UNIQUE (site_id, number)
) STRICT;
CREATE UNIQUE INDEX generations_staged ON generations (source_id) WHERE number IS NULL;

-- One revision of a page: alive from the generation `born` until the generation `died`. A page's identity is
-- (source_id, path, version, language).
CREATE TABLE pages (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id           INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  source_id         INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  path              TEXT NOT NULL,
  -- Where it was found: a file below the folder, an address. Links in the page are relative to it.
  location          TEXT NOT NULL,
  version           TEXT NOT NULL DEFAULT '',
  language          TEXT NOT NULL DEFAULT '',
  title             TEXT NOT NULL,
  description       TEXT,
  front_matter_json TEXT NOT NULL DEFAULT '{}',
  hidden            INTEGER NOT NULL DEFAULT 0,
  markdown          TEXT NOT NULL,
  content_hash      TEXT NOT NULL,
  born              INTEGER NOT NULL REFERENCES generations (id),
  died              INTEGER REFERENCES generations (id)
) STRICT;
CREATE INDEX pages_by_path ON pages (site_id, path);
CREATE UNIQUE INDEX pages_by_identity ON pages (source_id, path, version, language, born);
CREATE INDEX pages_by_born ON pages (born);
CREATE INDEX pages_by_died ON pages (died) WHERE died IS NOT NULL;

CREATE TABLE passages (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  page_id        INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  site_id        INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  position       INTEGER NOT NULL,
  headings_json  TEXT NOT NULL,
  anchor         TEXT NOT NULL,
  markdown       TEXT NOT NULL,
  text           TEXT NOT NULL,
  languages_json TEXT NOT NULL,
  tokens         INTEGER NOT NULL,
  born           INTEGER NOT NULL REFERENCES generations (id),
  died           INTEGER REFERENCES generations (id),
  UNIQUE (page_id, position)
) STRICT;
CREATE INDEX passages_by_born ON passages (born);
CREATE INDEX passages_by_died ON passages (died) WHERE died IS NOT NULL;

-- The keyword index. rowid is the passage's id. It holds what src/search/analyze.ts makes of the texts, already cut
-- and stemmed, so the tokenizer only splits at spaces (marks, as Thai has them, are part of a word: M*); nothing is
-- stored twice. `site` narrows a query to one site.
CREATE VIRTUAL TABLE passage_terms USING fts5 (
  site, title, headings, body,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '-_.+#@/:$&%!?*=<>~^|'"
);
CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab (passage_terms, row);

CREATE TABLE threads (
  -- 128 random bits: knowing it is the right to the conversation.
  id         TEXT PRIMARY KEY,
  site_id    INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX threads_by_site ON threads (site_id, updated_at);

CREATE TABLE turns (
  -- The id of the answer's message.
  id                  TEXT PRIMARY KEY,
  thread_id           TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  site_id             INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  position            INTEGER NOT NULL,
  -- The client's id of the question: posting it again replaces the turn.
  question_message_id TEXT NOT NULL,
  -- When a retry took this turn's place. It is kept, and no longer part of the conversation.
  replaced_at         INTEGER,
  key_id              TEXT,
  fp                  TEXT NOT NULL,
  caller              TEXT NOT NULL,
  current_path        TEXT,
  filter_json         TEXT,
  question            TEXT NOT NULL,
  searched            TEXT,
  retrieved_json      TEXT NOT NULL DEFAULT '[]',
  cited_json          TEXT NOT NULL DEFAULT '[]',
  generation          INTEGER,
  responder           TEXT,
  model               TEXT,
  -- answered, unanswered, quoted, curated, failed, stopped; NULL while it is being written.
  outcome             TEXT,
  answer              TEXT NOT NULL DEFAULT '',
  prompt_tokens       INTEGER,
  completion_tokens   INTEGER,
  prompt_tokens_estimated INTEGER,
  queue_ms            INTEGER,
  retrieval_ms        INTEGER,
  first_token_ms      INTEGER,
  total_ms            INTEGER,
  created_at          INTEGER NOT NULL,
  finished_at         INTEGER
) STRICT;
CREATE INDEX turns_by_thread ON turns (thread_id, position);
CREATE UNIQUE INDEX turns_by_question ON turns (thread_id, question_message_id) WHERE replaced_at IS NULL;
CREATE INDEX turns_by_time ON turns (site_id, created_at);
CREATE INDEX turns_unfinished ON turns (id) WHERE outcome IS NULL;
