import { writeTab } from "../../markdown/callouts.ts";
import { codeAt, eachOutsideCode, writeCallout } from "../writing/writing.ts";

/** Classes that make a callout of a quote, and what Docent calls such. */
const KINDS: Readonly<Record<string, string>> = {
  warning: "warning",
  error: "danger",
  info: "info",
  tip: "tip",
  neutral: "note",
};

/** What stands behind a heading that begins a callout until it is one. */
const MARK = /\uE020(\w+)\uE021/;
/** `{: .class #id key="value"}`, which says how something looks, or is called. */
const ATTRIBUTES = /(?<![ \t])[ \t]*\{:[ \t]*([^{}\n]{0,500})\}[ \t]*$/;
const HEADING = /^((?:[ \t]*>)*[ \t]*#{1,6}[ \t]+)(.*?)$/;

/** A page without the attributes that ExDoc's Markdown may have; ids are written as Docent has them. */
export const readAttributes = (markdown: string) =>
  eachOutsideCode(markdown.replace(/\r\n?/g, "\n").replace(/[\uE020\uE021]/g, ""), (part) =>
    part.includes("{:") ? withoutAttributes(part) : part,
  );

function withoutAttributes(text: string): string {
  const out: string[] = [];
  for (const line of text.split("\n")) {
    const [whole, given = ""] = ATTRIBUTES.exec(line) ?? [];
    if (whole === undefined) {
      out.push(line);
      continue;
    }
    const rest = line.slice(0, line.length - whole.length);
    const isAlone = /^[ \t>]*$/.test(rest);
    const place = isAlone ? out.length - 1 : out.length;
    if (!isAlone) out.push(rest);
    const written = out[place];
    if (written !== undefined && HEADING.test(written)) out[place] = withGiven(written, given);
  }
  return out.join("\n").replace(/(?<=[)\]`*_])\{:[^{}\n]{0,500}\}/g, "");
}

/** A heading with the id that it is given, and a mark where it begins a callout. */
function withGiven(heading: string, given: string): string {
  const id = /(?:^|\s)#([\w:.-]+)/.exec(given)?.[1];
  const classes = [...given.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
  const kind = /^[ \t]*>[ \t]*#{3,4}[ \t]/.test(heading)
    ? classes.map((name) => KINDS[name]).find((each) => each !== undefined)
    : undefined;
  return `${heading}${kind === undefined ? "" : `\uE020${kind}\uE021`}${id === undefined ? "" : ` {#${id}}`}`;
}

export const withoutMark = (words: string) => words.replace(MARK, "");

const TABS_OPEN = /^\s*<!-- tabs-open -->\s*$/;
const TABS_CLOSE = /^\s*<!-- tabs-close -->\s*$/;

/** Quotes that begin with a marked heading are callouts; headings between the comments for tabs are tabs. */
export function writeBlocks(markdown: string): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  const lastClose = lines.findLastIndex((line) => TABS_CLOSE.test(line));
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    const [, place = "", words = "", kind] =
      /^ {0,3}> {0,3}#{3,4} +((?:<a id="[^"]*"><\/a>)?)(.*?)\uE020(\w+)\uE021/.exec(lines[at] ?? "") ?? [];
    const isOpening = at < lastClose && TABS_OPEN.test(lines[at] ?? "");
    const tabs = isOpening ? tabsAt(lines, at) : undefined;
    if (code !== undefined) {
      out.push(...lines.slice(at, at + code.length));
      at += code.length;
    } else if (kind !== undefined) {
      const quote = quoteFrom(lines, at);
      const body = [place, ...quote.slice(1).map((line) => line.replace(/^ {0,3}> ?/, ""))].join("\n");
      const title = words.replace(/(?<!\s)\s*\{#[^{}]*\}\s*$/, "").trim();
      out.push("", writeCallout({ kind, title, body: writeBlocks(body) }, { isNested: false }), "");
      at += quote.length;
    } else if (tabs !== undefined) {
      out.push(...tabs.written);
      at += tabs.length;
    } else {
      out.push((lines[at] ?? "").replace(MARK, ""));
      at += 1;
    }
  }
  return out.join("\n");
}

/** The lines of a quote, with those that go on without its mark. */
function quoteFrom(lines: readonly string[], from: number): string[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => !/^ {0,3}>/.test(line));
  return rest.slice(0, end < 0 ? undefined : end);
}

/** The tabs whose opening is in a line, each below a heading of the third level. */
function tabsAt(lines: readonly string[], from: number): { written: string[]; length: number } | undefined {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => TABS_CLOSE.test(line));
  if (end < 0) return undefined;
  const written: string[] = [];
  let open: { label: string; lines: string[] } | undefined;
  const close = () => {
    if (open === undefined) return;
    const inside = writeBlocks(open.lines.join("\n"));
    written.push("", ...writeTab(open.label, ["", inside.trim(), ""], { isNested: false }), "");
  };
  for (let at = 1; at < end; ) {
    const code = codeAt(rest, at);
    const label =
      code === undefined
        ? /^ {0,3}### +(.|.+?(?<!\s))(?:\s*\{#[^{}]*\})?\s*$/.exec(rest[at] ?? "")?.[1]
        : undefined;
    const length = Math.min(code?.length ?? 1, end - at);
    if (label !== undefined) {
      close();
      open = { label, lines: [] };
    } else (open?.lines ?? written).push(...rest.slice(at, at + length));
    at += length;
  }
  close();
  return { written, length: end + 1 };
}

/** Links first, whose words and targets hold code that is no reference by itself. */
const REFERENCES =
  /(!?\[(?:[^[\]`\n]|`[^`\n]*`|\[[^[\]\n]*\]|\n(?!\n)){0,500}\])\((`[^`\n]{1,300}`|[^()\n]{0,1000}(?:\([^()\n]*\)[^()\n]*)?)\)|(`+)(?!`)([^\n]*?[^`\n])\3(?!`)/g;

/** The name of a file may have spaces. */
const SPACED = /^[^\s<"'][^<>"'`]* [^<>"'`]*\.(?:md|livemd|cheatmd)(?:#\S*)?$/;

/** Writes what code in backticks refers to as links: `[words](`m:Module`)`, and the name of a module by itself. */
export function writeReferences(markdown: string, hrefOf: (reference: string) => string | undefined): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) out.push(open.join("\n").replace(REFERENCES, replaced));
    open = [];
  };
  const replaced = (
    whole: string,
    label?: string,
    target?: string,
    ticks?: string,
    code?: string,
  ): string => {
    if (code !== undefined && ticks === "`") {
      const href = hrefOf(code);
      const isPrefixed = /^[mct]:/.test(code);
      const words = href === undefined ? code : code.replace(/^[mct]:/, "").replace(/#.*$/, "");
      return href === undefined && !isPrefixed
        ? whole
        : href === undefined
          ? `\`${code}\``
          : `[\`${words}\`](${href})`;
    }
    if (label === undefined || target === undefined) return whole;
    if (SPACED.test(target)) return `${label}(<${target}>)`;
    if (!target.startsWith("`")) return whole;
    const href = hrefOf(target.slice(1, -1));
    return href === undefined ? label.replace(/^!?\[|\]$/g, "") : `${label}(${href})`;
  };
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code === undefined) open.push(lines[at] ?? "");
    else {
      close();
      out.push(...lines.slice(at, at + code.length));
    }
    at += code?.length ?? 1;
  }
  close();
  return out.join("\n");
}
