import type { UploadStore } from "@docent/sites/ingest/stores";
import type { Database, Queries } from "../database/database.ts";

const CLEAR = "DELETE FROM upload_pieces WHERE source_id = $sourceId";
const ADD = "INSERT INTO upload_pieces (source_id, number, bytes) VALUES ($sourceId, $number, $bytes)";
const REVISION = "SELECT revision FROM upload_pieces WHERE source_id = $sourceId AND number = 0";
const READ = `
  SELECT bytes FROM upload_pieces WHERE source_id = $sourceId AND revision = $revision AND number = $number`;
const SIZES = `
  SELECT source_id, sum(octet_length(bytes)) AS bytes FROM upload_pieces
  JOIN sources ON sources.id = source_id WHERE site_id = $siteId GROUP BY source_id`;

export function createUploadStore(database: Database): UploadStore {
  return {
    put: (sourceId, pieces) =>
      database.inOneWrite(async (write) => {
        await write.run(CLEAR, { sourceId });
        let number = 0;
        for await (const bytes of pieces()) await write.run(ADD, { sourceId, number: number++, bytes });
        const revision = await revisionOf(write, sourceId);
        if (revision === undefined) throw new Error("an upload of no pieces cannot be kept");
        return revision;
      }),
    revision: (sourceId) => revisionOf(database, sourceId),

    async *read(sourceId, revision) {
      for (let number = 0; ; number++) {
        const asked = { sourceId, revision: Number(revision), number };
        const piece = await database.get<{ bytes: Uint8Array }>(READ, asked);
        if (piece === undefined) return;
        yield piece.bytes;
      }
    },

    async remove(sourceId) {
      await database.run(CLEAR, { sourceId });
    },

    async sizes(siteId) {
      const rows = await database.all<{ sourceId: number; bytes: number }>(SIZES, { siteId });
      return new Map(rows.map((row) => [row.sourceId, row.bytes]));
    },
  };
}

async function revisionOf(queries: Queries, sourceId: number): Promise<string | undefined> {
  const row = await queries.get<{ revision: number }>(REVISION, { sourceId });
  return row === undefined ? undefined : String(row.revision);
}
