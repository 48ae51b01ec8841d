import { readdirSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { makeFolder, systemDisk } from "../../lib/disk.ts";
import { checkArchive, uploadFile } from "../sources/sources.ts";
import type { Source } from "../stores.ts";

/** How many uploads may arrive at once: of all organizations together, and of one, so that it cannot take every place. */
const UPLOADS_AT_ONCE = 16;
const UPLOADS_OF_ONE_AT_ONCE = 4;
const PARTIAL = ".partial";
/** Whatever is in a data directory is the operator's alone. */
const FILE_MODE = 0o600;

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
export interface Arrived {
  /** Puts it in the place of what the source had before, at once. */
  keep(source: Pick<Source, "id" | "siteId">): Promise<void>;
  discard(): Promise<void>;
}

interface UploadsDeps {
  /** Below it, a folder for each site with a file for each source: no name that anybody gave is part of a path. */
  folder: string;
  bytesMax: number;
  siteBytesMax: number;
}

/** The folder of uploads, and what is arriving there. */
interface UploadFolder extends UploadsDeps {
  /** The organization of each upload that is arriving. */
  arriving: string[];
  count: number;
}

/** Keeps the archives that owners sent, as files. */
export function createUploadFiles(deps: UploadsDeps) {
  const state: UploadFolder = { ...deps, arriving: [], count: 0 };
  const { folder } = deps;
  return {
    /**
     * Takes in what is sent, for a site, in the place of a source's upload where one is named. Nothing stays of what does
     * not arrive whole, is too large, or is no archive.
     */
    receive: (owner: UploadOwner, sent: SentArchive, replaced?: number) =>
      receive(state, owner, sent, replaced),

    remove: (source: Pick<Source, "id" | "siteId">) => rm(uploadFile(folder, source), { force: true }),
    removeSite: (siteId: number) => rm(folderOf(folder, siteId), { recursive: true, force: true }),

    /** Removes halves that a server left which was killed. Nothing may be arriving. */
    removeHalves(): void {
      for (const { file } of filesOf(folder, (name) => name.endsWith(PARTIAL))) rmSync(file, { force: true });
    },

    /** Removes the uploads of sources that are gone. */
    async sweep(isKept: (siteId: number, sourceId: number) => Promise<boolean>): Promise<void> {
      for (const { site, name, file } of filesOf(folder, (each) => /^\d+$/.test(each)))
        if (!(await isKept(Number(site), Number(name)))) rmSync(file, { force: true });
    },
  };
}

export type UploadFiles = ReturnType<typeof createUploadFiles>;

async function receive(
  state: UploadFolder,
  { siteId, organizationId }: UploadOwner,
  sent: SentArchive,
  replaced: number | undefined,
): Promise<Arrived> {
  const leavePlace = takePlace(state, organizationId);
  state.count += 1;
  const folder = folderOf(state.folder, siteId);
  const name = `${state.count}${PARTIAL}`;
  const file = join(folder, name);
  const discard = () => rm(file, { force: true });
  try {
    makeFolder(folder);
    await write(state, file, sent, () => roomOf(state, siteId, [name, String(replaced)]));
    await checkArchive(file, sent.name);
  } catch (error) {
    await discard();
    throw explained(error);
  } finally {
    leavePlace();
  }
  const keep: Arrived["keep"] = async (source) => {
    await rename(file, uploadFile(state.folder, source));
    systemDisk.syncFolder(folder);
  };
  return { keep, discard };
}

/** Takes a place for an upload. Returns what gives it up. */
function takePlace({ arriving }: UploadFolder, organizationId: string): () => void {
  const ofOne = arriving.filter((each) => each === organizationId).length;
  if (ofOne >= UPLOADS_OF_ONE_AT_ONCE || arriving.length >= UPLOADS_AT_ONCE)
    throw new AppError("unavailable", "Other files are arriving. Please try again in a moment.");
  arriving.push(organizationId);
  return () => void arriving.splice(arriving.indexOf(organizationId), 1);
}

/** How much a site may keep besides what is not counted: what arrives, and what it takes the place of. */
function roomOf({ folder, siteBytesMax }: UploadsDeps, siteId: number, uncounted: readonly string[]): number {
  const own = folderOf(folder, siteId);
  const others = namesIn(own).filter((name) => !uncounted.includes(name));
  return siteBytesMax - others.reduce((sum, name) => sum + sizeOf(join(own, name)), 0);
}

async function write(
  { bytesMax, siteBytesMax }: UploadsDeps,
  file: string,
  { content, announcedBytes = 0 }: SentArchive,
  roomNow: () => number,
): Promise<void> {
  let room = roomNow();
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
    room = roomNow();
    check(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const folderOf = (folder: string, siteId: number) => join(folder, String(siteId));

/** The files of that name, of all sites. */
function* filesOf(folder: string, isMeant: (name: string) => boolean) {
  for (const site of namesIn(folder))
    for (const name of namesIn(join(folder, site)).filter(isMeant))
      yield { site, name, file: join(folder, site, name) };
}

/** Writes a piece whole: one write may take only a part of it. */
async function writeAll(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength; ) at += (await handle.write(piece, at)).bytesWritten;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

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
