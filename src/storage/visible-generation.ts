import type { Sql } from "./sql/sql.ts";
import { select } from "./sql/statement.ts";
import { sites } from "./tables/people.ts";

const GENERATION = select(sites, ["generation"], "FROM sites WHERE id = $siteId");

/** Which generation of a site its readers see; 0 where there is none, or no such site. */
export const generationOf = async (sql: Sql, siteId: number): Promise<number> =>
  (await sql.get(GENERATION, { siteId }))?.generation ?? 0;
