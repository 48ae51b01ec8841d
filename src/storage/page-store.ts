import type { Database } from "bun:sqlite";
import type { Page, PageStore } from "../pages/pages.ts";
import { aliveJoins, aliveWhere } from "./alive.ts";

interface PageRow extends Omit<Page, "description" | "hidden"> {
  description: string | null;
  hidden: number;
}

export function createPageStore(database: Database): PageStore {
  const generationOf = database.query<{ generation: number }, [number]>(
    "SELECT generation FROM sites WHERE id = ?",
  );
  const byPath = database.query<PageRow, { siteId: number; path: string; generation: number }>(`
    SELECT pages.id, pages.site_id AS siteId, pages.path, pages.location, pages.version, pages.language, pages.title,
           pages.description, pages.hidden, pages.markdown
    FROM pages ${aliveJoins("pages")}
    WHERE pages.site_id = $siteId AND pages.path = $path AND pages.kind = 'page' AND ${aliveWhere("pages")}
    ORDER BY pages.id`);
  const count = database.query<{ pages: number; passages: number }, { siteId: number; generation: number }>(`
    SELECT count(*) AS pages,
           coalesce(sum((SELECT count(*) FROM passages WHERE passages.page_id = pages.id)), 0) AS passages
    FROM pages ${aliveJoins("pages")}
    WHERE pages.site_id = $siteId AND pages.kind = 'page' AND ${aliveWhere("pages")}`);

  const visible = (siteId: number) => generationOf.get(siteId)?.generation ?? 0;

  return {
    async findPages(siteId, path) {
      const rows = byPath.all({ siteId, path, generation: visible(siteId) });
      return rows.map((row) => ({
        ...row,
        description: row.description ?? undefined,
        hidden: row.hidden === 1,
      }));
    },
    async countPages(siteId) {
      return count.get({ siteId, generation: visible(siteId) }) ?? { pages: 0, passages: 0 };
    },
  };
}
