import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { decodeEntities, htmlToText } from "../html-text.ts";
import { notebookToMarkdown } from "../notebook.ts";
import { PAGE_FORMATS, type PageFormat } from "../page-format.ts";

/** How authors write pages: as they are read, but for what Docent itself writes, and what is made Markdown before. */
export type AuthoredFormat = Exclude<PageFormat, Written> | "adoc";
type Written = "written" | "document";

const isAuthored = (format: PageFormat): format is Exclude<PageFormat, Written> =>
  format !== "written" && format !== "document";

export const AUTHORED_FORMATS: readonly AuthoredFormat[] = [...PAGE_FORMATS.filter(isAuthored), "adoc"];

/**
 * The text of a page as its author wrote it, without marks: as simple as can be, and by nothing that reads pages, so that
 * it can tell what those lost. Each line is a stretch of words that belong together. Code is left out, and so is what may
 * or may not be shown.
 */
export function authoredText(text: string, format: AuthoredFormat): string {
  const source = normalizeSource(text);
  switch (format) {
    case "html":
      return inStretches(htmlToText(withoutUnsaid(source)), /^/);
    case "txt":
      return inStretches(source, MARKDOWN_BLOCK);
    case "man":
      return inStretches(withoutRequests(source), /^\s*$/);
    case "pod":
      return inStretches(withoutPodMarks(source), /^=\w/);
    case "rst":
      return inStretches(plain(withoutRstMarks(source)), RST_BLOCK);
    case "org":
      return inStretches(plain(withoutOrgMarks(source)), ORG_BLOCK);
    case "adoc":
      return inStretches(plain(withoutAsciidocMarks(source)), ASCIIDOC_BLOCK);
    case "ipynb":
      return authoredText(notebookToMarkdown(source).markdown, "md");
    case "md":
    case "mdx":
    case "qmd":
      return inStretches(plain(withoutMarkdownMarks(source)), MARKDOWN_BLOCK);
  }
}

/** Stands for what is shown in words that the page does not have: a stretch ends there. */
const UNKNOWN = "\uE000";

/** Joins the lines of a stretch. A line that begins a block, and an empty one, end the stretch before. */
function inStretches(text: string, begins: RegExp): string {
  const stretches: string[] = [];
  let open: string[] = [];
  for (const line of text.split("\n")) {
    const words = line.trim();
    if (words === "" || begins.test(words)) {
      stretches.push(open.join(" "));
      open = [];
    }
    open.push(words);
  }
  stretches.push(open.join(" "));
  return stretches.join("\n").replaceAll(UNKNOWN, "\n");
}

/** Elements that hold no sentences, or say what other parts of the page say. */
const UNSAID: BlockKind = {
  opening:
    /<(head|nav|header|footer|pre|code|svg|math|button|select)\b[^>]{0,2000}>|<(?:a|sup|span)\b[^<>]{0,500}\b(?:footnote|fn-backref|doc-noteref|doc-backlink)[^<>]{0,500}>/gi,
  closing: ([found, name]) => `</${name ?? /^<(\w+)/.exec(found)?.[1]}>`.toLowerCase(),
};

const withoutUnsaid = (html: string): string => withoutBlocks(html, UNSAID);

/** What Markdown, reStructuredText and their like have in common. */
function plain(text: string): string {
  const shown = [COMMENT, MDX_COMMENT, CONDITION].reduce(withoutBlocks, text);
  return decodeEntities(
    shown
      .replace(ATTRIBUTES, "")
      .replace(TEMPLATE, UNKNOWN)
      .replace(MATHS, "\n\n")
      .replace(BLOCK_TAG, "\n\n")
      .replace(TAG, "")
      .replace(ADDRESS, " ")
      .replace(EMOJI_NAME, " ")
      .replace(ESCAPE, "$1"),
  );
}

const COMMENT: BlockKind = { opening: /<!--/g, closing: () => "-->", isOpenEnded: true };
const MDX_COMMENT: BlockKind = { opening: /\{\/\*/g, closing: () => "*/}" };
/** What is shown in one case only. */
const CONDITION: BlockKind = {
  opening: /\{%-?\s{0,5}(if\w{0,20}|unless|case|comment|raw)\b[^%]{0,500}%\}/g,
  closing: ([, name = ""]) => `{% end${name.toLowerCase()} %}`,
};
const ATTRIBUTES = /\{[#.:][^{}\n]{0,300}\}/g;
const TEMPLATE = /\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|\{[^{}\n]{0,500}\}/g;
const MATHS = /\$\$[^$]{0,2000}\$\$|\\\[[^\]]{0,1000}\\\]|\$[^$\n]{1,300}\$/g;
const BLOCK_TAG =
  /<\/?(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|pre|section|aside|details|summary|figure|figcaption|br|hr|blockquote|[A-Z][\w.]{0,60})\b[^<>]{0,1000}>/g;
const TAG = /<\/?[A-Za-z][^<>]{0,1000}>/g;
const ADDRESS = /\b(?:https?|ftp|mailto):[^\s)\]>"']{1,2000}/g;
const EMOJI_NAME = /(?<![\w:]):[a-z0-9_+-]{1,40}:(?![\w:])/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

const MARKDOWN_BLOCK = /^(?:[-*+>|#]|\d{1,9}[.)]\s|:::|!!!|\?\?\?|===|:\s|\[\^|\[!)/;
const CODE_SPAN = /(?<!`)(`+)(?!`)[^`\n]{1,500}?\1(?!`)/g;

/** Code in a line is shown as it is: what are marks elsewhere are none in it. */
const codeWithoutMarks = (span: string) => span.replace(/[<>{}$\\:&]/g, " ");

function withoutMarkdownMarks(source: string): string {
  return withoutFences(source.replace(FRONT_MATTER, "\n"))
    .replace(/^(?:import|export)\s[^\n]*$/gm, "")
    .replace(/^ {0,3}\[[^\]\n]{1,300}\]:[^\n]*$/gm, "")
    .replace(/^[ \t]{0,20}(?::{3,}|!!!|\?\?\?\+?|@)[^\n]*$/gm, "\n\n")
    .replace(/!\[[^[\]\n]{0,500}\](?:\([^()\n]{0,1000}\)|\[[^[\]\n]{0,300}\])/g, " ")
    .replace(/\]\([^()\n]{0,1000}(?:\([^()\n]{0,300}\)[^()\n]{0,300})?\)/g, "] ")
    .replace(/\]\[[^[\]\n]{0,300}\]/g, "] ")
    .replace(/\[\^[^[\]\n]{1,100}\]:?/g, " ")
    .replace(/\[![A-Za-z]{2,20}\][+-]?/g, "\n\n")
    .replace(/\{[\w:,.-]{1,60}\}`[^`\n]{1,500}`/g, UNKNOWN)
    .replace(CODE_SPAN, codeWithoutMarks)
    .replaceAll("|", "\n\n");
}

const FRONT_MATTER = /^\s*(?:---|\+\+\+)[ \t]*\n(?:[\s\S]*?\n)?(?:---|\+\+\+|\.\.\.)[ \t]*(?:\n|$)/;
const FENCE = /^[ \t>]{0,100}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,10})?(`{3,}|~{3,})/;

function withoutFences(source: string): string {
  let fence = "";
  return source
    .split("\n")
    .map((line) => {
      const mark = FENCE.exec(line)?.[1] ?? "";
      if (fence === "") {
        fence = mark;
        return mark === "" ? line : "";
      }
      if (mark.startsWith(fence) && line.trimEnd().endsWith(mark)) fence = "";
      return "";
    })
    .join("\n");
}

const RST_BLOCK = /^(?:[-*+•|]\s|\d{1,9}[.)]\s|#\.\s|\.\.\s|[=~^"'`#*+_-]{3,}$)/;
/** Directives whose content is no text of the page, or not always, and comments. */
const RST_APART =
  /^\s*\.\.(?:\s+(?:code|code-block|sourcecode|highlight|raw|math|literalinclude|only|ifconfig|doctest|test\w+|toctree|image|figure|index|contents|list-table|csv-table|auto\w+|(?:py|c|cpp):\w+|parsed-literal|prompt|graphviz|mermaid)\b|\s+[|_]|\s*$|\s+(?![\w:.+-]{1,60}::))/;

function withoutRstMarks(source: string): string {
  return withoutIndented(source, RST_APART)
    .replace(/^[ \t]*\.\.\s[^\n]*$/gm, "\n")
    .replace(/^[ \t]*:[\w -]{1,60}:[^\n]*$/gm, "\n")
    .replace(/(?::[\w.+-]{1,60}){1,3}:`[^`]{1,500}`|`[^`]{1,500}`(?::[\w.+-]{1,60}){1,3}:/g, UNKNOWN)
    .replace(/\|[^|\s][^|\n]{0,100}\|_{0,2}/g, UNKNOWN)
    .replace(/`([^`<]{1,500}?)\s{0,5}<[^<>]{1,1000}>`_{0,2}/g, "$1")
    .replace(/\[[#\w*]{1,40}\]_/g, " ")
    .replace(/``?[^`\n]{1,500}``?_{0,2}/g, codeWithoutMarks);
}

/** Leaves out each line that is one, and what is indented below it. */
function withoutIndented(source: string, isOne: RegExp): string {
  let indent: number | undefined;
  return source
    .split("\n")
    .map((line) => {
      const own = line.length - line.trimStart().length;
      if (indent !== undefined && (line.trim() === "" || own > indent)) return "";
      indent = isOne.test(line) ? own : undefined;
      return indent === undefined ? line : "";
    })
    .join("\n");
}

const ORG_BLOCK = /^(?:[-+*]\s|\*+\s|\d{1,9}[.)]\s|#\+|:)/;
const ORG_CODE: BlockKind = {
  opening: /^[ \t]*#\+begin_(src|example|export|comment)\b/gim,
  closing: ([, name = ""]) => `#+end_${name.toLowerCase()}`,
};

function withoutOrgMarks(source: string): string {
  return withoutBlocks(source, ORG_CODE)
    .replace(/^[ \t]*(?:#(?:\+|[ \t]|$)|:[\w-]{1,60}:)[^\n]*$/gm, "\n")
    .replace(
      /\[\[[^[\]\n]{1,1000}\](?:\[([^[\]\n]{1,1000})\])?\]/g,
      (_, words: string | undefined) => words ?? UNKNOWN,
    )
    .replace(/\[fn:[^[\]\n]{0,500}\]|<\d{4}-[^<>\n]{1,60}>|\\\w{1,40}/g, UNKNOWN)
    .replaceAll("|", "\n\n");
}

const ASCIIDOC_BLOCK = /^(?:[*.-]{1,5}\s|=+\s|\.\S|\[|\d{1,9}\.\s|<\d{1,3}>)/;
const ASCIIDOC_CODE: BlockKind = {
  opening: /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,})[ \t]*$/gm,
  closing: ([found]) => `\n${found.trim()}`,
};

function withoutAsciidocMarks(source: string): string {
  return withoutBlocks(source, ASCIIDOC_CODE)
    .replace(
      /^(?:\/\/|:!?[\w-]{1,60}!?:|\[|ifn?def::|ifeval::|endif::|include::|image::|toc::|\+$)[^\n]*$/gm,
      "\n",
    )
    .replace(/^[^\n]{1,200}::[ \t]*$/gm, "\n$&\n")
    .replace(/<<[^<>\n]{1,300}>>|\(\([^()\n]{1,300}\)\)/g, UNKNOWN)
    .replace(/\b(?:link|https?|mailto|irc):[^\s[\]]{0,1000}\[([^\],\n]{0,500})[^\]\n]{0,200}\]/g, "$1")
    .replace(/\b[a-z]{2,20}2?:[^\s[\]]{0,500}\[[^[\]\n]{0,500}\]/g, UNKNOWN)
    .replace(/\[\[[^[\]\n]{1,300}\]\]|\[[.#%][^[\]\n]{0,200}\]|\+{1,3}/g, "")
    .replace(/`[^`\n]{1,500}`/g, codeWithoutMarks)
    .replaceAll("|", "\n\n");
}

const POD_APART: BlockKind[] = [
  { opening: /^=begin\b/gm, closing: () => "\n=end" },
  { opening: /^=cut\b/gm, closing: () => "\n=head", isOpenEnded: true },
];
const POD_DEPTH = 3;

/** Paragraphs without their codes: of a link, its text. */
function withoutPodMarks(source: string): string {
  let text = POD_APART.reduce(withoutBlocks, source)
    .replace(/\b[A-Z]<<+\s[^\n]{0,300}?\s>+>/g, UNKNOWN)
    .replace(/^(?:=(?:for|encoding|over|back|pod|cut|end)\b|[ \t])[^\n]*$/gm, "\n")
    .replace(/^=(?:head\d|item)[ \t]+/gm, "\n");
  for (let depth = 0; depth < POD_DEPTH; depth++)
    text = text
      .replace(/\b[ZXE]<[^<>]{0,200}>/g, UNKNOWN)
      .replace(/\bL<(?:([^<>|]{1,300})\|)?[^<>]{0,300}>/g, (_, words: string | undefined) => words ?? UNKNOWN)
      .replace(/\b[BCFIS]<([^<>]{0,500})>/g, "$1");
  return text.replace(/\b[A-Z]<+/g, UNKNOWN);
}

/** The words of a manual page without the escapes that set fonts. What a request says ends a stretch. */
function withoutRequests(source: string): string {
  return source
    .split("\n")
    .map((line) => (/^[.']/.test(line) ? "" : line))
    .join("\n")
    .replace(/\\".*$/gm, "")
    .replace(/\\[fFmM](?:\[[^\]\n]{0,20}\]|\(..|.)|\\s[+-]?\d{1,3}|\\[&|^/,)%:]/g, "")
    .replace(/\\\(..|\\\[[^\]\n]{1,40}\]|\\[*gknYhvwXZ](?:\[[^\]\n]{0,40}\]|\(..|'[^'\n]{0,60}'|.)/g, UNKNOWN)
    .replace(/\\[eE]|\\(?=[-\\. '`])/g, " ");
}

/** A kind of block: how it begins, and the text that ends it. */
interface BlockKind {
  /** With the flag "g". */
  opening: RegExp;
  /** In lower case. Undefined where what was found begins no block after all. */
  closing(found: RegExpExecArray): string | undefined;
  /** Whether a block that does not end goes on to the end of the text. */
  isOpenEnded?: boolean;
}

/** A text with blank lines in the place of blocks of a kind, in time that grows with its length alone. */
function withoutBlocks(text: string, { opening, closing, isOpenEnded = false }: BlockKind): string {
  const lower = text.toLowerCase();
  const absent = new Set<string>();
  const kept: string[] = [];
  let at = 0;
  for (const found of text.matchAll(opening)) {
    if (found.index < at) continue;
    const wanted = closing(found);
    if (wanted === undefined) continue;
    const end = absent.has(wanted) ? -1 : lower.indexOf(wanted, found.index + found[0].length);
    if (end < 0) absent.add(wanted);
    if (end < 0 && !isOpenEnded) continue;
    kept.push(text.slice(at, found.index));
    at = end < 0 ? text.length : end + wanted.length;
  }
  return [...kept, text.slice(at)].join("\n\n");
}
