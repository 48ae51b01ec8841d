import { readdirSync, rmSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemDisk } from "@docent/kernel/lib/durable-files";
import type { Source } from "@docent/reading/source";

/** The source that an archive is of. */
export type UploadSource = Pick<Source, "id" | "siteId">;

/** Where the archives are kept that owners sent: one for each source. */
export interface KeptUploads {
  /** Puts a file that is whole in the place of what the source had before, at once. The file goes with it. */
  keep(source: UploadSource, file: string): Promise<void>;
  /** A file with the source's archive; undefined where there is none. */
  fileOf(source: UploadSource): Promise<string | undefined>;
  /** How many bytes each of a site's sources has, by its id. */
  sizes(siteId: number): Promise<ReadonlyMap<number, number>>;
  remove(source: UploadSource): Promise<void>;
}

/** Where a data directory has the archive of a source. No name that anybody gave is part of a path. */
export const uploadFile = (folder: string, { id, siteId }: UploadSource): string =>
  join(folderOf(folder, siteId), String(id));

/** Keeps them as files of the data directory: `<site>/<source>`. */
export function createOwnUploads(folder: string): KeptUploads {
  const placeOf = (source: UploadSource) => uploadFile(folder, source);
  return {
    async keep(source, file) {
      await rename(file, placeOf(source));
      systemDisk.syncFolder(folderOf(folder, source.siteId));
    },
    async fileOf(source) {
      const file = placeOf(source);
      return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : file;
    },
    async sizes(siteId) {
      const kept = [...uploadFiles(folder, String(siteId))];
      return new Map(kept.map(({ sourceId, file }) => [sourceId, sizeOf(file)]));
    },
    remove: (source) => rm(placeOf(source), { force: true }),
  };
}

export const folderOf = (folder: string, siteId: number): string => join(folder, String(siteId));

interface UploadFile {
  siteId: number;
  sourceId: number;
  file: string;
}

/** The archives in the folder, of all sites or of one. Where servers share them, their names say which revision they are. */
export function* uploadFiles(folder: string, site?: string): Generator<UploadFile> {
  for (const each of site === undefined ? namesIn(folder) : [site])
    for (const name of namesIn(join(folder, each))) {
      const sourceId = /^(\d+)(?:-\d+)?$/.exec(name)?.[1];
      if (sourceId !== undefined)
        yield { siteId: Number(each), sourceId: Number(sourceId), file: join(folder, each, name) };
    }
}

const PARTIAL = ".partial";

/** A name for a file that is not whole yet. */
export const partialName = (name: string): string => `${name}${PARTIAL}`;

/** The files in a site's folder that are not whole yet. */
export const partialsOf = (folder: string, siteId: number): string[] =>
  namesIn(folderOf(folder, siteId)).filter((name) => name.endsWith(PARTIAL));

export function removePartials(folder: string): void {
  for (const site of namesIn(folder))
    for (const name of namesIn(join(folder, site)))
      if (name.endsWith(PARTIAL)) rmSync(join(folder, site, name), { force: true });
}

export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
