import type { Queries } from "./database/database.ts";

const GENERATION = "SELECT generation FROM sites WHERE id = $siteId";

/** Which generation of a site its readers see; 0 where there is none, or no such site. */
export const generationOf = async (queries: Queries, siteId: number): Promise<number> =>
  (await queries.get<{ generation: number }>(GENERATION, { siteId }))?.generation ?? 0;
