import type { Database } from "bun:sqlite";
import { rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder, systemDisk } from "@docent/kernel/lib/durable-files";
import { uploadFile, uploadFiles } from "@docent/sites/ingest/uploads/uploads";
import type { MovedRow, MovedTable } from "../../move/tables.ts";

const COLUMNS = ["source_id", "number", "bytes"];
const PIECE_BYTES = 1024 * 1024;

/** The archives in a data directory, as the table of pieces that PostgreSQL has of them. */
export function createUploadPieces(database: Database, folder: string) {
  const siteOf = database.query<{ siteId: number }, [number]>(
    "SELECT site_id AS siteId FROM sources WHERE id = ?",
  );
  const written = new Set<string>();
  return {
    columns: COLUMNS,

    async *read({ columns }: MovedTable): AsyncGenerator<MovedRow[]> {
      for (const { siteId, sourceId, file } of uploadFiles(folder)) {
        // What a source has left that is gone goes with the next start.
        if (siteOf.get(sourceId)?.siteId !== siteId) continue;
        const content = Bun.file(file);
        for (let number = 0; number * PIECE_BYTES < content.size; number++) {
          const piece = content.slice(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
          const row = { source_id: sourceId, number, bytes: await piece.bytes() };
          yield [columns.map((column) => Object.entries(row).find(([name]) => name === column)?.[1] ?? null)];
        }
      }
    },

    /** Puts pieces behind those before: they come in the order of their sources and numbers. */
    write({ columns }: MovedTable, rows: readonly MovedRow[]): void {
      const [idAt = 0, , bytesAt = 0] = COLUMNS.map((name) => columns.indexOf(name));
      for (const row of rows) {
        const [id, bytes] = [row[idAt], row[bytesAt]];
        const siteId = typeof id === "number" ? siteOf.get(id)?.siteId : undefined;
        if (typeof id !== "number" || siteId === undefined || !(bytes instanceof Uint8Array))
          throw new Error("a piece of an upload has no source");
        const file = uploadFile(folder, { id, siteId });
        if (!written.has(file)) makeFolder(dirname(file));
        // A move that was killed may have left some of it.
        writeFileSync(file, bytes, { mode: 0o600, flag: written.has(file) ? "a" : "w" });
        written.add(file);
      }
    },

    /** Waits until what was written is on the disk: the rest is kept with it. */
    sync(): void {
      for (const file of written) systemDisk.syncFile(file);
      for (const folder of new Set([...written].map((file) => dirname(file)))) systemDisk.syncFolder(folder);
    },

    /** Removes what was written. */
    takeBack(): void {
      for (const file of written) rmSync(file, { force: true });
    },
  };
}
