import { stringLiteral } from "./tag.ts";

/** What a `{…}` says, as far as that can be told without running it; `unwrapJsx` reads JSX in it, unless it is nested too deep. */
export function expressionWords(
  raw: string,
  frontMatter: Record<string, unknown>,
  unwrapJsx: (jsx: string) => string | undefined,
): string {
  const inside = raw.slice(1, -1).trim();
  const name = /^front[mM]atter\.([\w$]{1,60})$/.exec(inside)?.[1];
  const value = name !== undefined && Object.hasOwn(frontMatter, name) ? frontMatter[name] : undefined;
  if (typeof value === "string" || typeof value === "number") return String(value).replaceAll("<", "&lt;");
  if (inside.startsWith("/*") && inside.endsWith("*/")) {
    const id = /^\/\*\s*#([^\s{}#]{1,200})\s*\*\/$/.exec(inside)?.[1];
    return id === undefined ? "" : `{#${id}}`;
  }
  const text = stringLiteral(inside);
  if (text !== undefined) return text.replaceAll("<", "&lt;");
  // A name, a short condition, an anchor of other Markdown: the words are worth more than the braces' meaning.
  if (!raw.includes("\n")) return raw;
  const first = inside.indexOf("<");
  const last = inside.lastIndexOf(">");
  const words = first < 0 || last < first ? undefined : unwrapJsx(inside.slice(first, last + 1));
  return words ?? sentences(inside);
}

/** Of code that can't be shown, the strings that look like prose. */
function sentences(code: string): string {
  const strings = [...code.matchAll(/"([^"\n]{1,500})"|'([^'\n]{1,500})'|`([^`]{1,2000})`/g)];
  return strings
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? "").trim())
    .filter((text) => /\s/.test(text))
    .join("\n");
}
