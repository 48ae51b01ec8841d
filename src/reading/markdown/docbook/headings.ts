import { placeMark, withPlace } from "../anchors.ts";
import type { BlockPlace } from "./writing.ts";

const HEADING_ID = /^[^\s{}<>"`|\\]{1,200}$/;

/** Writes a heading with its anchor; strong words where there may be none. */
export function writeHeading(
  { words, id }: { words: string; id: string | undefined },
  { level, nested }: BlockPlace,
  out: string[],
): void {
  const line = words.replace(/(?<!\s)\s*\\?\n\s*/g, " ").trim();
  if (line === "") {
    if (id !== undefined) out.push(placeMark(id));
    return;
  }
  if (nested > 0) {
    const strong = [`**${line.replaceAll("**", "")}**`];
    out.push(...(id === undefined ? strong : withPlace(strong, placeMark(id))));
    return;
  }
  const closed = line.replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
  const anchor = id !== undefined && HEADING_ID.test(id) ? ` {#${id}}` : "";
  // Words that only look like an anchor.
  const plain =
    anchor === "" && /\{[^{}]*\}$/.test(closed)
      ? `${closed.slice(0, closed.lastIndexOf("{"))}&#123;${closed.slice(closed.lastIndexOf("{") + 1)}`
      : closed;
  out.push(`${"#".repeat(Math.min(6, level))} ${plain}${anchor}`);
}

/** Blocks with the mark of the place that they are. A heading has its own, and stands below it. */
export function placedAt(id: string | undefined, blocks: readonly string[]): readonly string[] {
  const mark = id === undefined ? "" : placeMark(id);
  if (mark === "") return blocks;
  return /^#{1,6} /.test(blocks[0] ?? "") ? [mark, ...blocks] : withPlace(blocks, mark);
}
