import type { StorageDescription, StorageWarning } from "../storage.ts";
import type { Queries } from "./database/database.ts";

const ABOUT = `
  SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
    (SELECT count(*) FROM servers WHERE seen_at > now() - interval '30 seconds') AS servers`;

/** PostgreSQL's own log is the whole server's, not this database's. */
export async function describeDatabase(
  queries: Queries,
  warnings: StorageWarning[],
): Promise<StorageDescription> {
  const about = await queries.get<{ version: string; bytes: number; servers: number }>(ABOUT);
  return {
    engine: `PostgreSQL ${about?.version.split(" ")[0] ?? ""}`.trim(),
    vectors: undefined,
    bytes: { database: about?.bytes ?? 0, log: 0 },
    servers: about?.servers ?? 0,
    warnings,
  };
}
