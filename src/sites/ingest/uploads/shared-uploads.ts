import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { makeFolder } from "@docent/kernel/lib/durable-files";
import type { UploadStore } from "../stores.ts";
import { folderOf, type KeptUploads, partialName, type UploadSource, uploadFiles } from "./kept-uploads.ts";
import { FILE_MODE, writeAll } from "./write-file.ts";

const PIECE_BYTES = 1024 * 1024;

/** Keeps them where every server finds them. What was read of one lies in the folder: `<site>/<source>-<revision>`. */
export function createSharedUploads(folder: string, store: UploadStore): KeptUploads {
  const copyOf = ({ id, siteId }: UploadSource, revision: string) =>
    join(folderOf(folder, siteId), `${id}-${revision}`);
  let brought = 0;

  async function bring(source: UploadSource, revision: string): Promise<string> {
    const copy = copyOf(source, revision);
    if (await Bun.file(copy).exists()) return copy;
    makeFolder(folderOf(folder, source.siteId));
    // A command and a server may bring the same one at the same time.
    brought += 1;
    const half = partialName(`${copy}-${process.pid}-${brought}`);
    try {
      await writePieces(half, store.read(source.id, revision));
      // Another one may have taken its place meanwhile: then this one has only its first pieces.
      if ((await store.revision(source.id)) !== revision) throw replacedMeanwhile();
      await rename(half, copy);
    } finally {
      await rm(half, { force: true });
    }
    await removeCopies(folder, source, copy);
    return copy;
  }

  return {
    async keep(source, file) {
      const revision = await store.put(source.id, () => piecesOf(file));
      const copy = copyOf(source, revision);
      await rename(file, copy);
      await removeCopies(folder, source, copy);
    },
    async fileOf(source) {
      const revision = await store.revision(source.id);
      return revision === undefined ? undefined : bring(source, revision);
    },
    sizes: (siteId) => store.sizes(siteId),
    async remove(source) {
      await store.remove(source.id);
      await removeCopies(folder, source);
    },
  };
}

const replacedMeanwhile = () =>
  new AppError("conflict", "The archive is being replaced. Try again in a moment.");

const piecesOf = (file: string): AsyncIterable<Uint8Array> =>
  createReadStream(file, { highWaterMark: PIECE_BYTES });

async function writePieces(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, "wx", FILE_MODE);
  try {
    for await (const piece of pieces) await writeAll(handle, piece);
  } finally {
    await handle.close();
  }
}

/** Removes what was brought of a source, but for one file. */
async function removeCopies(folder: string, { id, siteId }: UploadSource, but?: string): Promise<void> {
  for (const { sourceId, file } of uploadFiles(folder, String(siteId)))
    if (sourceId === id && file !== but) await rm(file, { force: true });
}
