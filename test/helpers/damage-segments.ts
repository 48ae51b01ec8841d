import type { Database } from "bun:sqlite";

interface Row {
  id: number;
  bytes: Uint8Array;
}

/** The rows of all segments of a database, as the disk has them. */
export function segmentRows(database: Database): Row[] {
  return database.query<Row, []>("SELECT id, bytes FROM segment_rows ORDER BY id").all();
}

/** Flips one bit of a row, as a failing disk does. */
export function flipBit(database: Database, { id, bytes }: Row, bit: number): void {
  const changed = bytes.slice();
  const at = (bit >> 3) % bytes.length;
  changed[at] = (changed[at] ?? 0) ^ (1 << (bit & 7));
  database.query("UPDATE segment_rows SET bytes = ? WHERE id = ?").run(changed, id);
}
