-- Runs of sources that were asked for: any server that has the source takes one on, and every server says how it stands.
CREATE TABLE run_jobs (
  id               text COLLATE "C" PRIMARY KEY,
  site_id          integer NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- No reference: the run may remove its source.
  source_id        integer NOT NULL,
  location         text NOT NULL,
  removes          boolean NOT NULL,
  force            boolean NOT NULL,
  preview          boolean NOT NULL,
  checks_addresses boolean NOT NULL,
  requested_at     bigint NOT NULL,
  -- Who has begun it. When that server is gone, it waits again.
  server_id        text,
  started_at       bigint,
  ended_at         bigint,
  -- What came of it, as JSON.
  end_json         text
);
CREATE UNIQUE INDEX run_jobs_under_way ON run_jobs (source_id) WHERE ended_at IS NULL;
CREATE INDEX run_jobs_in_site ON run_jobs (site_id);
