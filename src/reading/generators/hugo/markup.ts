import { closesFence, type FenceOpening, fenceMarks, fenceOpening } from "@docent/kernel/text/markdown-lines";

/** Begins a target that a template writes as it is given: it is not looked up as links of the page are. */
export const AS_GIVEN = "\uE002";

/** `{.table}`, `{style="width: 50%"}`: attributes of the block above. */
const BLOCK_ATTRIBUTES =
  /^[ \t]*\{:?[ \t]*(?:[.#][\w:-]+|[\w-]+[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s}]+))(?:[ \t]+[^{}\n]*)?\}[ \t]*$/;
/** Attributes of a heading that give it no id. */
const HEADING_CLASSES =
  /^( {0,3}#{1,6}[ \t].*?)[ \t]{0,100}\{[ \t]*(?:(?:\.[\w:-]+|[\w-]+=(?:"[^"]*"|[^\s"'{}]+))[ \t]*)+\}[ \t]*$/;

/** Takes off what only says how something looks: attributes of blocks, and of code all but its language. */
export function plainMarkup(markdown: string): string {
  let fence: FenceOpening | undefined;
  const lines = markdown.split("\n").flatMap((line) => {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      return [line];
    }
    fence = fenceOpening(line);
    if (fence !== undefined) return fenceLines(line, fence);
    if (BLOCK_ATTRIBUTES.test(line)) return [];
    return [line.replace(HEADING_CLASSES, "$1")];
  });
  return lines.join("\n");
}

/** The line that opens code, with a file's name above it as a label. */
function fenceLines(line: string, { info }: FenceOpening): string[] {
  const [, language = "", attributes] = /^([^\s{]*)[ \t]*(\{[\s\S]*)?/.exec(info) ?? [];
  if (attributes === undefined) return [line];
  const name = /\b(?:filename|title)\s*=\s*"([^"]{1,200})"/.exec(attributes)?.[1];
  const opening = `${fenceMarks(line)}${language}`;
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return name === undefined ? [opening] : [`${indent}**${name}**`, "", opening];
}
