import type { OwnSites } from "../people/people.ts";
import { run, type Sql, type Steps } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import { noteChange, revisionOf } from "./changes.ts";

/**
 * From here on a site is there for nobody: those who read it find no page, those who write to it are refused, and its domain
 * is free. No domain has a space.
 */
const HIDE = statement(`
  UPDATE sites SET removed = true, domain = id || ' removed', host = NULL, generation = 0 WHERE id = $id AND NOT removed`);
/** Nobody is to begin a run of it, and whoever is in the middle of one ends. */
const ENDS = [
  "UPDATE sources SET every_ms = NULL, next_run_at = NULL WHERE site_id = $id",
  "UPDATE generations SET holder = NULL WHERE site_id = $id AND number IS NULL",
  "DELETE FROM run_jobs WHERE site_id = $id",
].map((text) => statement(text));
const REMOVED = statement<{ id: number }>("SELECT id FROM sites WHERE removed ORDER BY id");

/** Of what there may be more than goes in one write, in this order: how many at once, with what goes with them. */
const LARGE: readonly [table: string, atOnce: number][] = [
  ["segments", 1],
  ["pages", 500],
  ["images", 100],
  ["enrichments", 1000],
  ["events", 5000],
  ["threads", 500],
  ["searches", 5000],
  ["cached_answers", 1000],
  ["sources", 1],
];
/** Waits for another that does the same, and goes on behind what that one did: none means that none is left. */
const REMOVE_SOME = LARGE.map(([table, atOnce]) =>
  statement(`
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE site_id = $id ORDER BY id LIMIT ${atOnce} FOR UPDATE)`),
);
const REMOVE = statement("DELETE FROM sites WHERE id = $id AND removed");

/** How sites change: every server is told of it, and what belonged to one that is removed is taken away in parts. */
export const createOwnSites = (sql: Sql): OwnSites => ({
  noteChange: () => noteChange("sites"),
  revision: () => revisionOf(sql, "sites"),
  async remove(id) {
    await sql.inOneWrite(() => hideSite(id));
    await emptyRemovedSites(sql);
  },
});

/** Takes a site away: at once for everyone, in one short write. What it had is left to `emptyRemovedSites`. */
function* hideSite(id: number): Steps<void> {
  if ((yield* run(HIDE, { id })) === 0) return;
  for (const end of ENDS) yield* run(end, { id });
  yield* noteChange("sites");
}

/** Takes away what removed sites had, also those whose removal was interrupted: in parts, of which none takes long. */
export async function emptyRemovedSites(sql: Sql): Promise<void> {
  for (const { id } of await sql.all(REMOVED)) {
    for (const some of REMOVE_SOME) while ((await sql.inOneWrite(() => run(some, { id }))) > 0);
    await sql.inOneWrite(() => run(REMOVE, { id }));
  }
}
