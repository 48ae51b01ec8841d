import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { eachOutsideCode } from "../../generators/writing/writing.ts";

interface WordsOptions {
  /** The address that `#12` means; undefined where references stay as they are. */
  referenceTo: ((number: number) => string) | undefined;
  charactersMax: number;
}

/** Instructions of a template, which are not shown. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+)$/gm;
const UNDERLINED = /^(?! {0,3}(?:[-*+>|]|\d+\.))(\S.{0,300})\n {0,3}(?:=+|-{2,})[ \t]*$/gm;
/** Not one in the words of a link. */
const REFERENCE = /(?<![\w&/#[\]()!.-])#(\d{1,9})\b(?![\w-]|[^[\]\n]{0,200}\]\()/g;

/**
 * The body of an issue or of a comment. Its headings have no address on the page that its tracker shows, so they are but
 * strong; a fence that was not closed ends here.
 */
export function writeWords(body: string, { referenceTo, charactersMax }: WordsOptions): string {
  const text = cutAt(body.replace(/\r\n?/g, "\n"), Math.max(0, charactersMax));
  const written = eachOutsideCode(text, (part) => {
    const plain = part
      .replace(COMMENT, "")
      .replace(UNDERLINED, "**$1**")
      .replace(HEADING, (_, heading: string) => strong(heading))
      .replace(/\n{3,}/g, "\n\n");
    if (referenceTo === undefined) return plain;
    return plain.replace(REFERENCE, (all, number: string) => `[${all}](${referenceTo(Number(number))})`);
  });
  return closed(written.trim());
}

const strong = (heading: string) => {
  const words = heading
    .trim()
    .replace(/(?:^|\s)#+$/, "")
    .replaceAll("**", "");
  return words === "" ? "" : `**${words}**`;
};

/** At the end of a line, where there is one. */
function cutAt(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const line = text.lastIndexOf("\n", charactersMax);
  return text.slice(0, line > charactersMax / 2 ? line : charactersMax).toWellFormed();
}

function closed(text: string): string {
  let open: FenceOpening | undefined;
  for (const line of text.split("\n")) open = fenceBehind(line, open);
  return open === undefined ? text : `${text}\n${open.character.repeat(open.length)}`;
}
