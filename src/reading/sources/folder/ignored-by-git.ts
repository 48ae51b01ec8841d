import { posix } from "node:path";
import type { Skipped } from "../../source-reader.ts";
import { namesBelow } from "../built-folder.ts";

/** Something that an ignore file of git's names. */
export interface LeftPlace {
  location: string;
  isFolder: boolean;
}

/** What begins with an underscore is a part of other pages. */
const WRITTEN = /(?:^|\/)[^/_][^/]*\.(?:mdx?|markdown|rst|adoc|asciidoc|qmd|rmd|org)$/i;
/** What tools keep for themselves, with files in it that look like pages. */
const OF_TOOLS =
  /^(?:v?env|vendor|target|third[_-]party|dist|build|out|site|public|_site|_build|_book|book|coverage|te?mp|cache|logs?|lib|site-packages|bower_components|.*\.egg-info)$/i;
const FOLDERS_MAX = 50;
const FOLDERS_NAMED = 5;

/** Says which files could be pages, beside pages that are read, and are left out as git is told to ignore them. */
export async function ignoredByGit(
  { base, found }: { base: string; found: string },
  left: readonly LeftPlace[],
  files: readonly { location: string }[],
): Promise<Skipped[]> {
  const withPages = new Set(
    files.flatMap(({ location }) => (WRITTEN.test(location) ? [posix.dirname(location)] : [])),
  );
  const beside = left.filter(
    ({ location }) => withPages.has(posix.dirname(location)) && !OF_TOOLS.test(posix.basename(location)),
  );
  const counts = new Map<string, number>();
  const count = (folder: string, more: number) => {
    if (more > 0) counts.set(folder, (counts.get(folder) ?? 0) + more);
  };
  for (const { location } of beside.filter(({ isFolder }) => !isFolder))
    if (WRITTEN.test(location)) count(posix.dirname(location), 1);
  for (const { location } of beside.filter(({ isFolder }) => isFolder).slice(0, FOLDERS_MAX))
    count(
      location,
      (await namesBelow(posix.join(base, location))).filter((name) => WRITTEN.test(name)).length,
    );
  const ignoredFiles = [...counts.values()].reduce((sum, each) => sum + each, 0);
  if (ignoredFiles === 0) return [];
  const largest = [...counts]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, FOLDERS_NAMED);
  const where = largest.map(([folder, files]) => `${folder} (${files})`).join(", ");
  const are =
    ignoredFiles === 1 ? "1 file that could be a page is" : `${ignoredFiles} files that could be pages are`;
  const detail = `has ignore files of git's: ${are} left out, in ${where}, since git does not track them`;
  return [{ location: ".", found, reason: "assumed", detail, ignoredFiles }];
}
