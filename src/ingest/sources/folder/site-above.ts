import { readdir } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { looksLike } from "../../../generators/generators.ts";
import type { Skipped } from "../../source-reader.ts";
import { isRuleFile } from "../files/files.ts";
import type { IsInside } from "../open-file.ts";

const FOLDERS_UP_MAX = 3;

/** A name that is one of very many is not looked at. */
const NAMES_MAX = 2_000;

/**
 * Says that the folder is a part of a generator's docs, whose configuration lies in a folder above. It is not read, since
 * only what was named is: that folder has to be named instead.
 */
export async function siteAbove(
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
export async function rulesAbove(
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
