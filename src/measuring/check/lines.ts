import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Found } from "./finding.ts";

const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** Tells the lines of findings. Only the file that was asked for last is kept: findings come file by file. */
export function createLineFinder(folder: string) {
  let last: { file: string; lines: readonly string[] } | undefined;

  async function linesOf(file: string): Promise<readonly string[]> {
    if (last?.file === file) return last.lines;
    const lines = await readLines(join(folder, file));
    last = { file, lines };
    return lines;
  }

  return async ({ file, line, seek }: Found): Promise<number | undefined> => {
    if (line !== undefined || seek === undefined) return line;
    const lines = await linesOf(file);
    for (const text of seek.texts) {
      const at = nthLine(lines, text, seek.nth ?? 1);
      if (at !== undefined) return at;
    }
    return undefined;
  };
}

/** No line of a page that is made of something else, as of an address or a part of a document. */
async function readLines(path: string): Promise<readonly string[]> {
  try {
    const { size } = await stat(path);
    return size > FILE_BYTES_MAX ? [] : (await readFile(path, "utf8")).split("\n");
  } catch {
    return [];
  }
}

function nthLine(lines: readonly string[], text: string, nth: number): number | undefined {
  let seen = 0;
  for (const [index, line] of lines.entries()) if (line.includes(text) && ++seen === nth) return index + 1;
  return undefined;
}
