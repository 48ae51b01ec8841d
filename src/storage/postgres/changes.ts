import { run, type Steps } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import type { Queries } from "./database/database.ts";

/** What servers keep in memory, and read again when its revision is another. */
type Kept = "sites";

const NOTE_TEXT = `
  INSERT INTO changes (name, revision) VALUES ($name, 1)
  ON CONFLICT (name) DO UPDATE SET revision = changes.revision + 1`;
const NOTE = statement(NOTE_TEXT);
const REVISION = "SELECT revision FROM changes WHERE name = $name";

/** Tells every server, with the write that this is a part of, that what it keeps is out of date. */
export const noteChange = async (write: Queries, name: Kept): Promise<void> =>
  void (await write.run(NOTE_TEXT, { name }));

/** The same, as a step of a body. */
export const noteChangeStep = (name: Kept): Steps<unknown> => run(NOTE, { name });

export async function revisionOf(queries: Queries, name: Kept): Promise<string> {
  const row = await queries.get<{ revision: number }>(REVISION, { name });
  return String(row?.revision ?? 0);
}
