import {
  closesFence,
  dedent,
  type FenceOpening,
  fenceOpening,
  indentOf,
  isBlank,
} from "../../text/markdown-lines.ts";

const FRAME = /^[ \t]*:{3}[ \t]*(row|column)(-end)?\b[^:\n]{0,200}:{3}[ \t]*$/;

/** What is shown for some versions of a product alone. */
const CONDITION = /^[ \t]*:{3}[ \t]*(?:moniker|zone)(?:-end)?\b[^\n]{0,300}$/;

/** What DocFX shows in columns, below each other. It is further in than its page, where Markdown would see code. */
export function unwrapColumns(markdown: string): string {
  if (!markdown.includes(":::")) return markdown;
  const out: string[] = [];
  let column: string[] | undefined;
  let fence: FenceOpening | undefined;
  const close = () => {
    out.push("", ...withoutIndent(column ?? []), "");
    column = undefined;
  };
  for (const line of markdown.split("\n")) {
    const [, name, isEnd] = (fence === undefined ? FRAME.exec(line) : null) ?? [];
    fence = fence === undefined ? fenceOpening(line) : closesFence(line, fence) ? undefined : fence;
    const isShown = fence !== undefined || !CONDITION.test(line);
    if (name === undefined && isShown) (column ?? out).push(line);
    else if (name !== undefined && column !== undefined) close();
    if (name === "column" && isEnd === undefined) column = [];
  }
  if (column !== undefined) close();
  return out.join("\n");
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  const common = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return lines.map((line) => (isBlank(line) ? "" : dedent(line, common)));
}
