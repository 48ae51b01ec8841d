import type { Database } from "bun:sqlite";
import { eq, sql } from "drizzle-orm";
import { sites } from "../sql/tables/people.ts";
import { later } from "./later.ts";
import { typed } from "./typed.ts";

/** Reads which generation of a site its readers see; 0 where there is none, or no such site. */
export function prepareGeneration(database: Database): (siteId: number) => number {
  const find = later(() =>
    typed(database)
      .select({ generation: sites.generation })
      .from(sites)
      .where(eq(sites.id, sql.placeholder("siteId")))
      .prepare(),
  );
  return (siteId) => find.get({ siteId })?.generation ?? 0;
}
