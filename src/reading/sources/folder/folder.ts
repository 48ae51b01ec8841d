import { readdir, realpath, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { type Clock, systemClock } from "@docent/kernel/lib/clock";
import { looksLike } from "../../generators/generators.ts";
import type { FoundDocs, Skipped, SourceReader } from "../../source-reader.ts";
import { builtBeside, isBuilt } from "../built-folder.ts";
import { boundsOf, type GivenBounds, isRuleFile, itemsOfTree } from "../files/files.ts";
import { GONE, type IsInside, realPlace } from "../open-file.ts";
import { trackedBelow } from "./tracked-files.ts";
import { walkFolder } from "./walk.ts";

const FOUND = "folder";

interface FolderOptions extends GivenBounds {
  /** The version that is wanted, of docs in several. */
  version?: string | undefined;
  /** Where readers find the site. */
  siteUrl?: string | undefined;
  /** What the owner says of a generator's configuration. */
  answers?: Readonly<Record<string, string>> | undefined;
  /** The folder, or a single file, which is read as a folder that holds nothing else. */
  root: string;
  /** Whether a place may be read: asked each time that the folder is. */
  isInside?: IsInside | undefined;
  clock?: Clock;
}

/**
 * The pages of a folder, without what its ignore files name. Names that begin with a dot, and node_modules, are left
 * out; a link that leaves the folder is not followed. An index file stands for its folder, and so does a README where
 * no other file does.
 */
export function createFolderReader(options: FolderOptions): SourceReader {
  const { root, version, siteUrl, answers, isInside, clock = systemClock } = options;
  const bounds = boundsOf(options);
  return {
    async *list({ signal, onRecognized, onWritten }) {
      // From here on all is read below the place that was found, and nowhere that a link leads to.
      const { base, only } = await openPlace(root, isInside);
      const tracked = only === undefined ? await trackedBelow(base, isInside) : undefined;
      const { skipped, ...tree } = await walkFolder({
        base,
        only,
        found: FOUND,
        ...bounds,
        clock,
        signal,
        tracked,
      });
      yield* skipped;
      const recognized: FoundDocs[] = [];
      const { access } = tree;
      const options = { found: FOUND, ...bounds, access, version, siteUrl, answers, clock, signal };
      yield* itemsOfTree(tree, {
        ...options,
        onWritten,
        onRecognized(docs) {
          recognized.push(docs);
          onRecognized?.(docs);
        },
      });
      const locations = tree.files.map(({ location }) => location);
      yield* await rulesAbove(base, { found: FOUND, isInside });
      const docs = recognized.find(({ generator }) => generator !== undefined);
      if (docs?.generator !== undefined) yield* await builtBeside({ ...docs, base, isInside }, FOUND);
      // What was built is not to be taken for a part of its source, which lies above it.
      else if (only === undefined && !isBuilt(locations))
        yield* await siteAbove(base, locations, { found: FOUND, isInside });
    },
  };
}

/** The folder that is read, without links in its path, and the file that alone is read of it where one was named. */
async function openPlace(root: string, isInside: IsInside | undefined) {
  try {
    const place = isInside === undefined ? await realpath(root) : await realPlace(root, isInside);
    const state = await stat(place);
    if (state.isFile()) return { base: dirname(place), only: basename(place) };
    if (state.isDirectory()) return { base: place, only: undefined };
    throw new Error("it is neither a folder nor a file");
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("not_found", `There is no folder or file ${root} that can be read.`, {
      cause,
      hint: GONE,
    });
  }
}

const FOLDERS_UP_MAX = 3;

/** A name that is one of very many is not looked at. */
const NAMES_MAX = 2_000;

/**
 * Says that the folder is a part of a generator's docs, whose configuration lies in a folder above. It is not read, since
 * only what was named is: that folder has to be named instead.
 */
async function siteAbove(
  base: string,
  locations: readonly string[],
  { found, isInside }: { found: string; isInside?: IsInside | undefined },
): Promise<Skipped[]> {
  const isEnd = endOf(isInside);
  let folder = base;
  for (let up = 0; up < FOLDERS_UP_MAX; up++) {
    folder = dirname(folder);
    if (isEnd(folder)) return [];
    const below = relative(folder, base).replaceAll(sep, "/");
    const names = await readdir(folder).catch(() => []);
    const all = [...names.slice(0, NAMES_MAX), ...locations.map((location) => `${below}/${location}`)];
    const generator = looksLike(all);
    if (generator === undefined) continue;
    const detail = `looks like docs of ${generator}, of which this folder is a part: name ${folder} instead, and pages get the addresses and the menu that it gives them`;
    return [{ location: relative(base, folder).replaceAll(sep, "/"), found, reason: "outside", detail }];
  }
  return [];
}

/** Whether a folder is not looked into, because it is no docs' own, or may not be read. */
const endOf = (isInside: IsInside | undefined) => {
  const ends = [homedir(), tmpdir()];
  return (folder: string) =>
    dirname(folder) === folder || ends.includes(folder) || isInside?.(folder) === false;
};

/** Says that rules lie above the folder: they are not read, since only what was named is, and so do not count. */
async function rulesAbove(
  base: string,
  { found, isInside }: { found: string; isInside?: IsInside | undefined },
): Promise<Skipped[]> {
  const isEnd = endOf(isInside);
  const above: Skipped[] = [];
  let folder = base;
  for (let up = 0; up < FOLDERS_UP_MAX; up++) {
    folder = dirname(folder);
    if (isEnd(folder)) break;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter(isRuleFile)) {
      const location = relative(base, join(folder, name)).replaceAll(sep, "/");
      const detail = `lies above the folder that is read, and does not count: name ${folder} instead, or give groups to the source`;
      above.push({ location, found, reason: "outside", detail });
    }
  }
  return above;
}
