import { outsideCode } from "@docent/kernel/text/code-spans";
import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { placeMark } from "./anchors.ts";
import { withWidth } from "./image-width.ts";

const IMAGE = String.raw`!\[([^\[\]\n]{0,500})\]\(([^()\s]{1,1000})((?:[ \t]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?)[ \t]*\)`;
/** GitHub and Material for MkDocs show such an image on dark pages alone, beside one for light pages. */
const DARK = /!\[[^[\]\n]{0,500}\]\([^()\s]{1,1000}#(?:gh-dark-mode-only|only-dark)\)/g;
const NAME = String.raw`[\w:-]{1,40}`;
const ATTRIBUTE = String.raw`(?:[.#][\w:-]{1,80}|${NAME}=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"'{}]{1,200}))`;
const ATTRIBUTES = new RegExp(
  String.raw`${IMAGE}\{:?[ \t]*(${ATTRIBUTE}(?:[ \t]+${ATTRIBUTE}){0,10})[ \t]*\}`,
  "g",
);
/** The same behind a link: how it looks, and how it opens. */
const OF_LINK = new RegExp(
  String.raw`(\]\((?:[^()\s]|\([^()\s]{0,300}\)){0,1000}(?:[ \t]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t]*\))\{:?[ \t]*(${ATTRIBUTE}(?:[ \t]+${ATTRIBUTE}){0,10})[ \t]*\}`,
  "g",
);
/** ` =300x200` behind the address. */
const SIZE = /!\[([^[\]\n]{0,500})\]\(([^()\s]{1,1000})[ \t]+=(\d{0,4}%?)x?(?:\d{0,4}%?)[ \t]*\)/g;

/** Takes what says how an image or a link looks out of a page's text, except its width; of two for light and dark pages one stays. */
export function plainImages(markdown: string): string {
  if (!markdown.includes("](")) return markdown;
  const out: string[] = [];
  let words: string[] = [];
  let fence: FenceOpening | undefined;
  const flush = () => {
    if (words.length > 0) out.push(outsideCode(words.join("\n"), plain));
    words = [];
  };
  for (const line of markdown.split("\n")) {
    const isInside = fence !== undefined;
    fence = fenceBehind(line, fence);
    if (isInside || fence !== undefined || !line.includes("](")) {
      flush();
      out.push(line);
    } else words.push(line);
  }
  flush();
  return out.join("\n");
}

/** What stands at the end of a heading is the heading's, and of an image its width is kept. */
function withoutAttributes(line: string): string {
  if (/^ {0,3}#{1,6}[ \t]/.test(line)) return line;
  return line.replace(ATTRIBUTES, writeImage).replace(OF_LINK, (_, link: string, attributes: string) => {
    const [, id = ""] = /(?:^|\s)#([\w:-]+)/.exec(attributes) ?? [];
    return link + placeMark(id);
  });
}

function writeImage(_: string, alt: string, source: string, title: string, attributes: string): string {
  const [, width] = /(?:^|\s)width=["']?([^\s"']+)/.exec(attributes) ?? [];
  return `![${alt}](${withWidth(source, width)}${title})`;
}

function plain(words: string): string {
  const linked = words.includes("){") ? words.split("\n").map(withoutAttributes).join("\n") : words;
  if (!linked.includes("![")) return linked;
  return linked
    .replace(DARK, "")
    .replace(ATTRIBUTES, writeImage)
    .replace(
      SIZE,
      (_, alt: string, source: string, width: string) => `![${alt}](${withWidth(source, width)})`,
    );
}
