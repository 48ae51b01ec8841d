import { readdirSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { makeFolder, systemDisk } from "../../lib/disk.ts";
import { checkArchive } from "../sources/archive/archive.ts";
import type { Source } from "../stores.ts";

/** How many uploads may arrive at once: of all organizations together, and of one, so that it cannot take every place. */
const UPLOADS_AT_ONCE = 16;
const UPLOADS_OF_ONE_AT_ONCE = 4;
const PARTIAL = ".partial";
/** Whatever is in a data directory is the operator's alone. */
const FILE_MODE = 0o600;

/** What somebody sends. */
export interface Sent {
  /** What it is called by who sends it. */
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

/** Where the upload of a source is: its own site's folder, whatever the source is called. */
export const uploadFile = (folder: string, { id, siteId }: Pick<Source, "id" | "siteId">) =>
  join(folder, String(siteId), String(id));

/** The archives that owners sent. */
export function createUploadFiles({ folder, bytesMax, siteBytesMax }: UploadsDeps) {
  /** The organization of each upload that is arriving. */
  const arriving: string[] = [];
  let count = 0;
  const folderOf = (siteId: number) => join(folder, String(siteId));

  /** How much a site may keep besides what is not counted: what arrives, and what it takes the place of. */
  function roomOf(siteId: number, uncounted: readonly string[]): number {
    const others = namesIn(folderOf(siteId)).filter((name) => !uncounted.includes(name));
    const taken = others.reduce((sum, name) => sum + sizeOf(join(folderOf(siteId), name)), 0);
    return siteBytesMax - taken;
  }

  /** Takes a place for an upload. Returns what gives it up. */
  function takePlace(organizationId: string): () => void {
    const ofOne = arriving.filter((each) => each === organizationId).length;
    if (ofOne >= UPLOADS_OF_ONE_AT_ONCE || arriving.length >= UPLOADS_AT_ONCE)
      throw new AppError("unavailable", "Other files are arriving. Please try again in a moment.");
    arriving.push(organizationId);
    return () => void arriving.splice(arriving.indexOf(organizationId), 1);
  }

  async function write(file: string, { content, announcedBytes = 0 }: Sent, roomNow: () => number) {
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

  return {
    /**
     * Takes in what is sent, for a site, in the place of a source's upload where one is named. Nothing stays of what does
     * not arrive whole, is too large, or is no archive.
     */
    async receive({ siteId, organizationId }: UploadOwner, sent: Sent, replaced?: number): Promise<Arrived> {
      const leavePlace = takePlace(organizationId);
      count += 1;
      const name = `${count}${PARTIAL}`;
      const file = join(folderOf(siteId), name);
      const discard = () => rm(file, { force: true });
      try {
        makeFolder(folderOf(siteId));
        await write(file, sent, () => roomOf(siteId, [name, String(replaced)]));
        await checkArchive(file, sent.name);
      } catch (error) {
        await discard();
        throw explained(error);
      } finally {
        leavePlace();
      }
      const keep: Arrived["keep"] = async (source) => {
        await rename(file, uploadFile(folder, source));
        systemDisk.syncFolder(folderOf(siteId));
      };
      return { keep, discard };
    },

    remove: (source: Pick<Source, "id" | "siteId">) => rm(uploadFile(folder, source), { force: true }),
    removeSite: (siteId: number) => rm(folderOf(siteId), { recursive: true, force: true }),

    /** Removes halves that a server left which was killed. Nothing may be arriving. */
    removeHalves(): void {
      for (const site of namesIn(folder))
        for (const name of namesIn(join(folder, site)))
          if (name.endsWith(PARTIAL)) rmSync(join(folder, site, name), { force: true });
    },

    /** Removes the uploads of sources that are gone. */
    async sweep(isKept: (siteId: number, sourceId: number) => Promise<boolean>): Promise<void> {
      for (const site of namesIn(folder))
        for (const name of namesIn(join(folder, site)).filter((each) => /^\d+$/.test(each)))
          if (!(await isKept(Number(site), Number(name)))) rmSync(join(folder, site, name), { force: true });
    },
  };
}

export type UploadFiles = ReturnType<typeof createUploadFiles>;

/** A write may take a part of what it is given. */
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

/** What the disk says, in words for who sends. */
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
