/** Writes rows of Markdown cells as a table, the first of them as its head; a bar in a cell is escaped already. */
export function writeMarkdownTable(rows: readonly string[][]): string {
  const [head = [], ...body] = rows;
  const width = Math.max(head.length, ...body.slice(0, 50).map((cells) => cells.length));
  const padded = [...head, ...Array.from({ length: width - head.length }, () => "")];
  const lines = [padded, padded.map(() => "---"), ...body];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
