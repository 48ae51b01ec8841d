import { rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { makeFolder } from "@docent/kernel/lib/durable-files";
import type { UploadStore } from "../stores.ts";
import {
  createOwnUploads,
  folderOf,
  type KeptUploads,
  partialName,
  partialsOf,
  removePartials,
  sizeOf,
  type UploadSource,
  uploadFiles,
} from "./kept-uploads.ts";
import { createSharedUploads } from "./shared-uploads.ts";
import { FILE_MODE, writeAll } from "./write-file.ts";

/** How many uploads may arrive at once: of all organizations together, and of one, so that it cannot take every place. */
const UPLOADS_AT_ONCE = 16;
const UPLOADS_OF_ONE_AT_ONCE = 4;

/** An archive as it is sent. */
export interface SentArchive {
  /** Its name, as its sender gives it. */
  name: string;
  content: AsyncIterable<Uint8Array>;
  /** As its sender says; undefined where that is not said. */
  announcedBytes: number | undefined;
}

/** Which site an upload is for, and which organization's places it takes. */
export interface UploadOwner {
  siteId: number;
  organizationId: string;
}

/** An archive that has arrived whole, and is nobody's yet. */
interface Arrived {
  /** Puts it in the place of what the source had before, at once. */
  keep(source: UploadSource): Promise<void>;
  discard(): Promise<void>;
}

interface UploadsDeps {
  /** The data directory. */
  directory: string;
  bytesMax: number;
  siteBytesMax: number;
  /** Keeps them for all servers; undefined where the data directory is the only place. */
  store?: UploadStore | undefined;
}

/** What is kept, and what is arriving. */
interface UploadsState extends UploadsDeps {
  folder: string;
  kept: KeptUploads;
  /** The organization of each upload that is arriving. */
  arriving: string[];
  count: number;
}

/** The archives that owners sent. */
export function createUploadFiles(deps: UploadsDeps) {
  const { directory, store } = deps;
  // Apart from what was sent before the data moved to where servers share it: that stays as it is.
  const folder = join(directory, store === undefined ? "uploads" : "shared-uploads");
  const kept = store === undefined ? createOwnUploads(folder) : createSharedUploads(folder, store);
  const state: UploadsState = { ...deps, folder, kept, arriving: [], count: 0 };
  return {
    /**
     * Takes in what is sent, for a site, in the place of a source's upload where one is named. Nothing stays of what does
     * not arrive whole, is too large, or is no archive.
     */
    receive: (owner: UploadOwner, sent: SentArchive, replaced?: number) =>
      receive(state, owner, sent, replaced),

    fileOf: kept.fileOf,
    remove: kept.remove,
    removeSite: (siteId: number) => rm(folderOf(folder, siteId), { recursive: true, force: true }),

    /** Removes halves that a server left which was killed. Nothing may be arriving. */
    removeHalves: () => removePartials(folder),

    /** Removes the uploads of sources that are gone. */
    async sweep(isKept: (siteId: number, sourceId: number) => Promise<boolean>): Promise<void> {
      for (const { siteId, sourceId, file } of uploadFiles(folder))
        if (!(await isKept(siteId, sourceId))) rmSync(file, { force: true });
    },
  };
}

export type UploadFiles = ReturnType<typeof createUploadFiles>;

async function receive(
  state: UploadsState,
  { siteId, organizationId }: UploadOwner,
  sent: SentArchive,
  replaced: number | undefined,
): Promise<Arrived> {
  const leavePlace = takePlace(state, organizationId);
  state.count += 1;
  const folder = folderOf(state.folder, siteId);
  const name = partialName(String(state.count));
  const file = join(folder, name);
  const discard = () => rm(file, { force: true });
  try {
    makeFolder(folder);
    await write(state, file, sent, () => roomOf(state, siteId, { arriving: name, replaced }));
    const { checkArchive } = await import("@docent/reading/sources/sources");
    await checkArchive(file, sent.name);
  } catch (error) {
    await discard();
    throw explained(error);
  } finally {
    leavePlace();
  }
  return { keep: (source) => state.kept.keep(source, file), discard };
}

/** Takes a place for an upload. Returns what gives it up. */
function takePlace({ arriving }: UploadsState, organizationId: string): () => void {
  const ofOne = arriving.filter((each) => each === organizationId).length;
  if (ofOne >= UPLOADS_OF_ONE_AT_ONCE || arriving.length >= UPLOADS_AT_ONCE)
    throw new AppError("unavailable", "Other files are arriving. Please try again in a moment.");
  arriving.push(organizationId);
  return () => void arriving.splice(arriving.indexOf(organizationId), 1);
}

/** How much a site may keep besides what is not counted: what arrives, and what it takes the place of. */
async function roomOf(
  { folder, kept, siteBytesMax }: UploadsState,
  siteId: number,
  { arriving, replaced }: { arriving: string; replaced: number | undefined },
): Promise<number> {
  const others = partialsOf(folder, siteId).filter((name) => name !== arriving);
  const arrivingBytes = others.map((name) => sizeOf(join(folderOf(folder, siteId), name)));
  const keptBytes = [...(await kept.sizes(siteId))].flatMap(([id, bytes]) => (id === replaced ? [] : bytes));
  return siteBytesMax - [...arrivingBytes, ...keptBytes].reduce((sum, bytes) => sum + bytes, 0);
}

async function write(
  { bytesMax, siteBytesMax }: UploadsState,
  file: string,
  { content, announcedBytes = 0 }: SentArchive,
  roomNow: () => Promise<number>,
): Promise<void> {
  let room = await roomNow();
  const check = (bytes: number) => {
    if (bytes > bytesMax) throw tooLarge(`The archive is larger than ${bytesMax} bytes.`);
    if (bytes > room) throw tooLarge(`With it, this site's uploads are more than ${siteBytesMax} bytes.`);
  };
  check(announcedBytes);
  const handle = await open(file, "wx", FILE_MODE);
  try {
    let bytes = 0;
    for await (const piece of content) {
      bytes += piece.byteLength;
      check(bytes);
      await writeAll(handle, piece);
    }
    if (bytes === 0) throw new AppError("invalid_request", "Nothing was sent.");
    // Others may have arrived meanwhile.
    room = await roomNow();
    check(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const tooLarge = (message: string) =>
  new AppError("too_large", message, {
    hint: "Send the docs alone, or raise the settings upload_bytes and site_uploads_bytes.",
  });

/** Puts what the disk says into words for the sender. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new AppError("unavailable", "The server's disk is full: the upload could not be kept.", {
      hint: "Free some space where the data directory is.",
      cause: error,
    });
  if (code === "EACCES" || code === "EROFS" || code === "EPERM" || code === "EIO")
    return new AppError("unavailable", "The server cannot write to its disk: the upload could not be kept.", {
      hint: "Check the data directory's owner, its mode, and how it is mounted.",
      cause: error,
    });
  return error;
}
