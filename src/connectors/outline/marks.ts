import { eachOutsideCode } from "../../generators/writing/writing.ts";

/** The line that begins or ends what readers can fold. Its first block is its title. */
const FOLD = /^[ \t]*\+{3,}[ \t]*$/gm;
/** An image's title holds its size and its place on the page besides. */
const IMAGE = /(!\[[^\]\n]{0,500}\]\([^\s()]{1,2000})[ \t]+(?:"([^"\n]{0,500})"|=\d*x\d*)[ \t]*\)/g;
const LAYOUT = /(?:^|\s)(?:=\d*x\d*|(?:left|right)-50|full-width|source:\S{1,100})(?=\s|$)/g;
const MENTION = /@\[([^\]\n]{1,500})\]\(mention:\/\/[^\s/()]{0,100}\/(\w{1,40})\/([^\s()]{1,200})\)/g;
const HIGHLIGHT = /==([^=\n]{1,1000})==/g;
/** Formulas are as they are; a break in a line is written in two letters. */
const FORMULA_OR_BREAK = /\$\$[\s\S]{0,5000}?\$\$|\$[^$\n]{1,500}\$|\\\\|\\n/g;
const HEADING_LINE = /^#{1,6}[ \t].*$/gm;

/** Outline's own marks as plain Markdown. Notices (`:::info`) are read as they are. */
export function withoutMarks(text: string): string {
  return eachOutsideCode(text, (words) =>
    words
      .replace(FOLD, "")
      .replace(IMAGE, (_, image: string, title = "") => {
        const said = String(title).replace(LAYOUT, "").trim();
        return said === "" ? `${image})` : `${image} "${said}")`;
      })
      .replace(MENTION, (_, label: string, kind: string, id: string) =>
        /^(?:document|collection)$/.test(kind)
          ? `[${label}](/${kind === "document" ? "doc" : kind}/${id})`
          : `@${label}`,
      )
      .replace(HEADING_LINE, (line) =>
        line.replace(FORMULA_OR_BREAK, (mark) => (mark === "\\n" ? " " : mark)),
      )
      .replace(FORMULA_OR_BREAK, (mark) => (mark === "\\n" ? "\\\n" : mark))
      .replace(HIGHLIGHT, "$1"),
  );
}
