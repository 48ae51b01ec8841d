import { folderOf, isBelow } from "../../../generators/generators.ts";
import { PUBLIC_FOLDERS } from "./image-files.ts";

interface Placed {
  location: string;
  path: string;
}

/**
 * Finds the addresses at which a generator publishes documents: as they are, beside the pages that lie in their folder or
 * above it, or from the top where they lie in a folder of what is published untouched. `root` is the folder of the site's
 * configuration.
 */
export function createDocumentPaths(pages: readonly Placed[], root: string) {
  const folders = new Map<string, string>();
  for (const page of pages) {
    const folder = folderOf(page.location);
    if (!folders.has(folder) && keepsName(page)) folders.set(folder, pathFolderOf(page));
  }
  return (location: string): string | undefined => {
    for (const published of PUBLIC_FOLDERS) {
      const folder = [root, published].filter((each) => each !== "").join("/");
      if (published !== "" && isBelow(location, folder)) return location.slice(folder.length + 1);
    }
    for (let folder = folderOf(location); ; folder = folderOf(folder)) {
      const path = folders.get(folder);
      const below = location.slice(folder === "" ? 0 : folder.length + 1);
      if (path !== undefined) return path === "" ? below : `${path}/${below}`;
      if (folder === "") return undefined;
    }
  };
}

const INDEX = /^(?:_?index|readme)$/i;

const stemOf = (location: string) => location.slice(location.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Whether a page's address ends as its file is called: others say nothing of their folder's. */
const keepsName = ({ location, path }: Placed) =>
  INDEX.test(stemOf(location)) || nameOf(path).toLowerCase() === stemOf(location).toLowerCase();

const pathFolderOf = ({ location, path }: Placed) => (INDEX.test(stemOf(location)) ? path : folderOf(path));
