import type { Block, Line } from "./page/page.ts";

const LINES_MAX = 5_000;
const BLANK_MAX = 3;

/** The lines of code that begin at a block, with their indentation; none where it is no code. */
export function codeLines(
  blocks: readonly Block[],
  from: number,
  levels: ReadonlyMap<Line, number>,
): string[] {
  const lines: Line[] = [];
  for (let at = from; at < blocks.length && lines.length < LINES_MAX; at += 1) {
    const [block, last] = [blocks[at], lines.at(-1)];
    if (block?.kind !== "line" || !block.mono || levels.has(block)) break;
    if (last !== undefined && (last.column !== block.column || last.page !== block.page)) break;
    if (last !== undefined && block.y - last.y > 4.5 * block.size) break;
    lines.push(block);
  }
  const [first] = lines;
  if (first === undefined || !lines.some(({ text }) => /[!-~]/.test(text))) return [];
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const step = usualStep(lines);
  return lines.map((line, index) => {
    const above = lines[index - 1];
    const apart = above === undefined ? 1 : Math.round((line.y - above.y) / step);
    const blank = "\n".repeat(Math.max(0, Math.min(BLANK_MAX, apart - 1)));
    const indent = Math.max(0, Math.min(200, Math.round((line.x0 - left) / (line.letter ?? 6))));
    return blank + " ".repeat(indent) + (line.grid ?? line.text);
  });
}

function usualStep(lines: readonly Line[]): number {
  const steps = lines.slice(1).map(({ y }, index) => y - (lines[index]?.y ?? y));
  const sorted = steps.filter((step) => step > 0).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.4)] ?? 12;
}
