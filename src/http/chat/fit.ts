import { closesFence, type FenceOpening, fenceOpening } from "../../text/markdown-lines.ts";

const MORE = "…";

/** The marks of as much of a text as a message holds, whole blocks where that is possible. */
export function fitted(
  markdown: string,
  charactersMax: number,
  toMarks: (markdown: string) => string,
): string {
  const whole = toMarks(markdown);
  if (whole.length <= charactersMax) return whole;
  const blocks = blocksOf(markdown);
  const upTo = (count: number) => toMarks([...blocks.slice(0, count), MORE].join("\n\n"));
  let [fits, tooMany] = [0, blocks.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (upTo(middle).length <= charactersMax) fits = middle;
    else tooMany = middle;
  }
  if (fits > 0) return upTo(fits);
  const cut = whole.slice(0, Math.max(0, charactersMax - MORE.length - 1));
  return `${cut.slice(0, Math.max(cut.lastIndexOf("\n"), cut.lastIndexOf(" ")) || cut.length).toWellFormed()} ${MORE}`;
}

/** The blocks of a text, parted by empty lines. Fenced code is one block. */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let fence: FenceOpening | undefined;
  for (const line of markdown.split("\n")) {
    if (fence === undefined && line.trim() === "") {
      blocks.push([]);
      continue;
    }
    if (fence === undefined) fence = fenceOpening(line);
    else if (closesFence(line, fence)) fence = undefined;
    blocks.at(-1)?.push(line);
  }
  return blocks.map((lines) => lines.join("\n")).filter((block) => block !== "");
}
