import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

test("each file that runs over PostgreSQL is there, once, and says why it does", () => {
  const lines = readFileSync(join(import.meta.dir, "files.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const named = lines.map((line) => /^(\S+\.test\.tsx?)\s+(\S.*)$/.exec(line));
  expect(lines.filter((_, place) => named[place] === null)).toEqual([]);
  const files = named.flatMap((found) => found?.[1] ?? []);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(files.filter((file, place) => files.indexOf(file) !== place)).toEqual([]);
});
