/** An option of a directive: ":members: one, two". */
export const OPTION = /^[ \t]+:([\w-]+):[ \t]*(?![ \t])(|.+?(?<![ \t]))[ \t]*$/;

/** Where the lines end that are indented more than a directive. Blank lines behind them are not among them. */
export function endOfBlock(lines: readonly string[], start: number, indent: number): number {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (line.search(/\S/) <= indent) break;
    end = at + 1;
  }
  return end;
}

export const indented = (lines: readonly string[], indent: string) =>
  lines.flatMap((line) => line.split("\n")).map((line) => (line === "" ? "" : indent + line));
