import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type DrawnCell, standIns } from "./cells.ts";
import type { Fragment } from "./fragment.ts";

/** A cell of a table, as a document's structure names it, without what is set in it. */
interface TaggedCell extends Omit<DrawnCell, "fragments"> {
  table: number;
}

/** The cells of a page's tables, and which of them what is marked on the page belongs to. */
export interface Tags {
  cells: TaggedCell[];
  byMark: ReadonlyMap<string, TaggedCell>;
}

export const NO_TAGS: Tags = { cells: [], byMark: new Map() };

const NODES_MAX = 50_000;
const NODES_AT_FIRST = 3_000;
const NODES_PER_PAGE = 100;
const SPAN_MAX = 100;
const COLUMNS_MAX = 200;

interface Walk extends Tags {
  byMark: Map<string, TaggedCell>;
  nodes: number;
  tables: number;
}

/** The structure of a document, which is asked page by page. */
export interface Structure {
  /** The tables that it has on a page; none where the document has no structure. */
  tagsOf(page: PDFPageProxy): Promise<Tags>;
}

/**
 * Asks for the structure as long as it is cheap: pdf.js tells of each page the whole of the tables that are on it, so that
 * those that go over many pages are told again and again.
 */
export function createStructure(): Structure {
  let [pages, nodes] = [0, 0];
  return {
    async tagsOf(page) {
      pages += 1;
      if (nodes > NODES_AT_FIRST + NODES_PER_PAGE * pages) return NO_TAGS;
      const walk: Walk = { cells: [], byMark: new Map(), nodes: 0, tables: 0 };
      const root: unknown = await page.getStructTree().catch(() => null);
      findTables(walk, root);
      nodes += walk.nodes;
      return walk.nodes > NODES_MAX ? NO_TAGS : walk;
    },
  };
}

const roleOf = (node: unknown): unknown => Reflect.get(Object(node), "role");

function kidsOf(walk: Walk, node: unknown): readonly unknown[] {
  const kids: unknown = Reflect.get(Object(node), "children");
  if (!Array.isArray(kids)) return [];
  walk.nodes += kids.length;
  return walk.nodes > NODES_MAX ? [] : kids;
}

function findTables(walk: Walk, node: unknown): void {
  for (const kid of kidsOf(walk, node))
    if (roleOf(kid) === "Table") takeTable(walk, kid);
    else findTables(walk, kid);
}

function takeTable(walk: Walk, node: unknown): void {
  const table = walk.tables;
  walk.tables += 1;
  /** By column, the first row that cells from above do not reach into. */
  const free: number[] = [];
  for (const [row, kid] of rowsIn(walk, node).entries()) {
    let column = 0;
    for (const cell of kidsOf(walk, kid)) {
      if (roleOf(cell) !== "TH" && roleOf(cell) !== "TD") continue;
      while ((free[column] ?? 0) > row) column += 1;
      if (column >= COLUMNS_MAX) break;
      const [rows, columns] = [spanOf(cell, "rowSpan"), spanOf(cell, "colSpan")];
      const tagged = { table, row, column, rows, columns };
      walk.cells.push(tagged);
      markAll(walk, cell, tagged);
      for (let at = 0; at < columns; at += 1) free[column + at] = row + rows;
      column += columns;
    }
  }
}

const GROUPS = new Set<unknown>(["THead", "TBody", "TFoot"]);

const rowsIn = (walk: Walk, node: unknown): unknown[] =>
  kidsOf(walk, node).flatMap((kid) => {
    if (GROUPS.has(roleOf(kid))) return rowsIn(walk, kid);
    return roleOf(kid) === "TR" ? [kid] : [];
  });

function spanOf(cell: unknown, name: string): number {
  const span: unknown = Reflect.get(Object(cell), name);
  return typeof span === "number" && span >= 1 ? Math.min(SPAN_MAX, Math.floor(span)) : 1;
}

/** All that is marked within a cell is the cell's: a table in it, too. */
function markAll(walk: Walk, node: unknown, cell: TaggedCell): void {
  for (const kid of kidsOf(walk, node)) {
    const id: unknown = Reflect.get(Object(kid), "id");
    if (Reflect.get(Object(kid), "type") === "content" && typeof id === "string") walk.byMark.set(id, cell);
    else markAll(walk, kid, cell);
  }
}

/** The fragments of a frame, with one for each line of a table of the structure in the place of its own. */
export function withTaggedTables(fragments: readonly Fragment[], { cells, byMark }: Tags): Fragment[] {
  if (byMark.size === 0) return [...fragments];
  const drawn = new Map(cells.map((cell): [TaggedCell, DrawnCell] => [cell, { ...cell, fragments: [] }]));
  for (const fragment of fragments) {
    const cell = fragment.mark === undefined ? undefined : byMark.get(fragment.mark);
    if (cell !== undefined) drawn.get(cell)?.fragments.push(fragment);
  }
  const tables = [...Map.groupBy(drawn, ([{ table }]) => table).values()];
  const found = tables.flatMap((members) => standIns(rowsOnPage(members.map(([, cell]) => cell))) ?? []);
  const taken = new Set(found.flatMap((table) => table.taken));
  return [...fragments.filter((fragment) => !taken.has(fragment)), ...found.flatMap(({ lines }) => lines)];
}

/** The rows of a table that are on the page: its structure is that of all pages which it goes over. */
function rowsOnPage(cells: readonly DrawnCell[]): DrawnCell[] {
  const rows = new Set(cells.filter(({ fragments }) => fragments.length > 0).map(({ row }) => row));
  return cells.filter(({ row }) => rows.has(row));
}
