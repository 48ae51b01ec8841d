import { closesFence, type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { plainChunkHead } from "./facts.ts";

/** A file that a page takes in, or what stands in its place. */
type IncludePart = (path: string) => Promise<string>;

const INCLUDE =
  /^[ \t]*\{\{<[ \t]*include[ \t]+("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"']{1,500})[ \t]*>\}\}[ \t]*$/;
const CHILD = /\bchild[ \t]*=[ \t]*(c\([^()\n]{1,2000}\)|"[^"\n]{1,500}"|'[^'\n]{1,500}')/;
const QUOTED = /"([^"\n]{1,500})"|'([^'\n]{1,500})'/g;

/** A page with the files that it takes in: by Quarto's `include`, which may stand in code, or as knitr's child documents. */
export async function expandIncludes(body: string, include: IncludePart): Promise<string> {
  if (!/\binclude\b|\bchild\b/.test(body)) return body;
  const lines = body.split("\n").map(plainChunkHead);
  const out: string[] = [];
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, written] = line.includes("{{<") ? (INCLUDE.exec(line) ?? []) : [];
    if (written !== undefined) {
      out.push(await include(written.replace(/^["']|["']$/g, "")));
      continue;
    }
    const isInside = fence !== undefined;
    fence = fenceBehind(line, fence);
    const child =
      isInside || fence === undefined || !/^\{\s*r\b/.test(fence.info) ? null : CHILD.exec(fence.info);
    if (child === null || fence === undefined) {
      out.push(line);
      continue;
    }
    for (const [, double, single = ""] of (child[1] ?? "").matchAll(QUOTED))
      out.push("", await include(double ?? single), "");
    while (at + 1 < lines.length && !closesFence(lines[at + 1] ?? "", fence)) at++;
    at++;
    fence = undefined;
  }
  return out.join("\n");
}
