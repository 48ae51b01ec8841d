/** The text without the indent that its lines after the first have in common. */
export function cleanDoc(text: string): string {
  const [first = "", ...rest] = text.replace(/\t/g, "        ").split("\n");
  const indents = rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.length === 0 ? 0 : indents.reduce((least, each) => Math.min(least, each));
  return [first.trim(), ...rest.map((line) => line.slice(common).trimEnd())].join("\n").trim();
}
