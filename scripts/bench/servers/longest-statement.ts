import { SQL } from "bun";
import { z } from "zod";

const LOOK_MS = 200;

const rowShape = z.array(z.object({ seconds: z.coerce.number(), query: z.string() }));

const RUNNING = `
  SELECT extract(epoch FROM clock_timestamp() - query_start) AS seconds, query FROM pg_stat_activity
  WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  ORDER BY query_start LIMIT 1`;

/** Looks again and again which statement has been running for the longest. */
export function watchStatements(url: string) {
  const sql = new SQL(url, { max: 1 });
  let longest = { seconds: 0, query: "" };
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const [row] = rowShape.parse([...(await sql.unsafe(RUNNING))]);
      if (row !== undefined && row.seconds > longest.seconds) longest = row;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    longest: () => ({ ...longest, query: longest.query.replace(/\s+/g, " ").trim() }),
    async close() {
      clearInterval(timer);
      await sql.close();
    },
  };
}
