import { realpath, stat } from "node:fs/promises";
import { AppError } from "../../../errors.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import type { SourceReader } from "../../source-reader.ts";
import { boundsOf, type GivenBounds, itemsOfTree } from "../files/files.ts";
import { GONE, type IsInside, realPlace } from "../open-file.ts";
import { rulesAbove, siteAbove } from "./site-above.ts";
import { walkFolder } from "./walk.ts";

const FOUND = "folder";

interface FolderOptions extends GivenBounds {
  /** The version that is wanted, of docs in several. */
  version?: string | undefined;
  /** Where readers find the site. */
  siteUrl?: string | undefined;
  /** What the owner says of a generator's configuration. */
  answers?: Readonly<Record<string, string>> | undefined;
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
      const base = isInside === undefined ? await openFolder(root) : await realPlace(root, isInside);
      const { skipped, ...tree } = await walkFolder({ base, found: FOUND, ...bounds, clock, signal });
      yield* skipped;
      let isRecognized = false;
      const { access } = tree;
      const options = { found: FOUND, ...bounds, access, version, siteUrl, answers, clock, signal };
      yield* itemsOfTree(tree, {
        ...options,
        onWritten,
        onRecognized(docs) {
          isRecognized = docs.generator !== undefined;
          onRecognized?.(docs);
        },
      });
      const locations = tree.files.map(({ location }) => location);
      yield* await rulesAbove(base, { found: FOUND, isInside });
      if (!isRecognized) yield* await siteAbove(base, locations, { found: FOUND, isInside });
    },
  };
}

async function openFolder(root: string): Promise<string> {
  try {
    const base = await realpath(root);
    if (!(await stat(base)).isDirectory()) throw new Error("it is a file");
    return base;
  } catch (cause) {
    throw new AppError("not_found", `There is no folder ${root} that can be read.`, { cause, hint: GONE });
  }
}
