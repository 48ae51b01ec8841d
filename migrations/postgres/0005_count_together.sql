-- Adds units to counts, and tells all that is then kept of each subject in it. Of two that add to one subject the second waits
-- for the first, and each statement of a function sees what was written before it: a single one would see what was there when
-- it began. Subjects share a few locks, so that many at once never need more than there are.
CREATE FUNCTION count_together(
  meters text[], subjects text[], slices bigint[], counts int[], expiries bigint[], at bigint
) RETURNS TABLE (meter text, subject text, slice bigint, count int)
LANGUAGE sql VOLATILE AS $$
  -- A request waits for it, so it does not wait for the disk: if PostgreSQL itself goes down, counts of its last half second
  -- may be lost.
  SELECT set_config('synchronous_commit', 'off', true);

  SELECT pg_advisory_xact_lock(1685021546, number)
  FROM (
    SELECT DISTINCT hashtext(one.meter || ' ' || one.subject) & 255 AS number
    FROM unnest($1, $2) AS one (meter, subject) ORDER BY number
  ) AS locks;

  -- In one order for everybody, also for servers of an older release, which take no locks.
  INSERT INTO limit_counts (meter, subject, slice, count, expires_at)
  SELECT added.meter, added.subject, added.slice, sum(added.count), max(added.expires_at)
  FROM unnest($1, $2, $3, $4, $5) AS added (meter, subject, slice, count, expires_at)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (meter, subject, slice) DO UPDATE SET count = limit_counts.count + excluded.count;

  SELECT kept.meter, kept.subject, kept.slice, kept.count
  FROM limit_counts AS kept
  WHERE kept.expires_at > $6
    AND (kept.meter, kept.subject) IN (SELECT DISTINCT * FROM unnest($1, $2));
$$;
