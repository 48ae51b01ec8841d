import { run, type Sql, type Steps } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

/** What servers keep in memory, and read again when its revision is another. */
type Kept = "sites";

const NOTE = statement(`
  INSERT INTO changes (name, revision) VALUES ($name, 1)
  ON CONFLICT (name) DO UPDATE SET revision = changes.revision + 1`);
const REVISION = statement<{ revision: number }>("SELECT revision FROM changes WHERE name = $name");

/** Tells every server, with the write that this is a part of, that what it keeps is out of date. */
export function* noteChange(name: Kept): Steps<void> {
  yield* run(NOTE, { name });
}

export const revisionOf = async (sql: Sql, name: Kept): Promise<string> =>
  String((await sql.get(REVISION, { name }))?.revision ?? 0);
