import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { outsideOfRoots } from "./sources/open-file.ts";

/** Raises `forbidden` for what is not below one of the roots, links followed; for what is not there, the same. */
export function checkBelow(path: string, roots: readonly string[]): void {
  const place = isAbsolute(path) ? realPath(path) : undefined;
  if (place === undefined || !isBelow(place, roots)) throw outsideOfRoots(path);
}

/** Whether a place, without links in its own path, is one of the roots or below it. */
export function isBelow(place: string, roots: readonly string[]): boolean {
  return roots.some((root) => isAtOrBelow(place, realPath(root)));
}

function isAtOrBelow(place: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const way = relative(root, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
