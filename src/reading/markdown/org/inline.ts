import { safeImage, safeLink } from "@docent/kernel/text/safe-url";
import {
  codeSpan,
  escapeDestination,
  escapeInline,
  escapeLabel,
  mathsSpan,
} from "@docent/kernel/text/write-markdown";
import { placeMark, slug } from "../anchors.ts";
import { inlineHtmlText } from "../html/html.ts";
import { plainHeading } from "./outline.ts";

/** What the words of a page refer to. */
export interface OrgNames {
  /** The anchors of headings, by their words in small letters. */
  headings: ReadonlyMap<string, string>;
  /** Anchors, by the `ID` of their sections. */
  ids: ReadonlyMap<string, string>;
  /** Where an `ID` leads that is another page's. */
  otherId: ((id: string) => string | undefined) | undefined;
  abbreviations: ReadonlyMap<string, string>;
  macros: ReadonlyMap<string, string>;
  title: string;
  /** Footnotes that are written where they are named, by label. */
  notes: { label: string; words: string }[];
}

/** Every mark is bounded: a text of openings only would otherwise be searched to its end for each of them. */
const MARK = new RegExp(
  [
    /\[\[(?<target>(?:\\.|[^[\]\\]){1,2000})\](?:\[(?<label>(?:[^[\]]|\[[^[\]]{0,200}\](?!\])){1,1000})\])?\]/,
    /\[fn:(?<note>[\w-]{0,60})(?::(?<noteWords>(?:[^[\]]|\[\[?[^[\]]{0,500}\](?:\[[^[\]]{0,500}\]\])?|\]\]){1,2000}))?\]/,
    /<(?<angle>(?:https?|ftp|mailto|file):[^<>\n]{1,2000})>/,
    /(?<bare>https?:\/\/[^\s<>[\]]{1,2000})/,
    /<<<?(?<place>[^<>\n]{1,200})>>>?/,
    /[<[](?<time>\d{4}-\d\d-\d\d(?: [^\]>\n]{0,60})?)[>\]](?:--[<[](?<until>\d{4}-\d\d-\d\d(?: [^\]>\n]{0,60})?)[>\]])?/,
    /@@(?<backend>[\w-]{1,20}):(?<snippet>[^@]{0,500}(?:@[^@]{1,500}){0,5})@@/,
    /src_(?<language>[\w+#-]{1,30})(?:\[[^\]\n]{0,300}\])?\{(?<source>[^{}\n]{1,500})\}/,
    /\\\((?<tex>[^\n]{1,1000}?)\\\)/,
    /\\\[(?<block>[\s\S]{1,2000}?)\\\]/,
    /\$\$(?<dollars>[^$]{1,2000})\$\$/,
    /(?<![\w$])\$(?<dollar>[^\s$,;.](?:[^$\n]{0,300}[^\s$,.;])?)\$(?![\w$])/,
    /\\(?<entity>[A-Za-z]{2,30})(?:\{\}|(?![A-Za-z]))/,
    /(?<lineEnd>\\\\)[ \t]*(?:\n|$)/,
    /(?<=^|[\s\-–—('"{])(?<sign>[=~*/_+])(?<inside>(?!\s)(?:(?!\k<sign>)[^\n]|\n(?!\n)|\k<sign>(?![\s.,;:!?'")}\]\\[–—-]|$)){1,600}?(?<!\s))\k<sign>(?=[\s.,;:!?'")}\]\\[–—-]|$)/,
    /(?<=\S)(?<shift>[_^])\{(?<shifted>[^{}\n]{1,200})\}/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const DEEP_MAX = 4;
const MACRO = /\{\{\{([A-Za-z][\w-]{0,60})(?:\(((?:[^)]|\)(?!\}\}\})){0,1000})\))?\}\}\}/g;
const MACROS_DEEP_MAX = 3;
const TEXT_CHARACTERS_MAX = 200_000;

/** Writes words of Org as Markdown. */
export function writeOrgInline(text: string, names: OrgNames, deep = 0): string {
  const expanded = deep === 0 ? withMacros(text.replace(/[ \t]{2,}/g, " "), names, 0) : text;
  const parts: string[] = [];
  let at = 0;
  const before = () => (at === 0 ? "" : expanded.charAt(at - 1));
  for (const match of expanded.matchAll(MARK)) {
    const written = writeMark(match.groups ?? {}, names, deep);
    if (written === undefined) continue;
    parts.push(
      escapeInline(expanded.slice(at, match.index).replace(/(?<!\s)\s*\n\s*/g, " "), before()),
      written,
    );
    at = match.index + match[0].length;
  }
  parts.push(escapeInline(expanded.slice(at).replace(/(?<!\s)\s*\n\s*/g, " "), before()));
  return parts
    .join("")
    .replace(/\\\n\s*$/, "")
    .trim();
}

/** Puts in what macros stand for. */
function withMacros(text: string, names: OrgNames, deep: number): string {
  if (!text.includes("{{{") || deep >= MACROS_DEEP_MAX) return text;
  const expanded = text.replace(MACRO, (_, name: string, given: string | undefined) => {
    const written = names.macros.get(name.toLowerCase());
    if (/^kbd$/i.test(name) && (written === undefined || written.startsWith("(eval")))
      return `~${given ?? ""}~`;
    if (written === undefined) return name === "title" ? names.title : (given ?? "");
    const args = (given ?? "").split(/(?<!\\),/).map((each) => each.replaceAll("\\,", ","));
    return written.replace(/\$(\d)/g, (_, number: string) =>
      number === "0" ? (given ?? "") : (args[Number(number) - 1] ?? ""),
    );
  });
  return expanded.length > TEXT_CHARACTERS_MAX ? text : withMacros(expanded, names, deep + 1);
}

type Groups = Partial<Record<string, string>>;

/** Undefined where what looks like a mark is not one. */
function writeMark(groups: Groups, names: OrgNames, deep: number): string | undefined {
  const { target, label, note, angle, bare, place, time, sign, inside, entity, source, shifted } = groups;
  if (target !== undefined) return writeLink(target.replace(/\\([[\]\\])/g, "$1"), label, names, deep);
  if (note !== undefined) return writeNote(note, groups["noteWords"], names);
  if (angle !== undefined) return writeLink(angle, undefined, names, deep);
  // Nothing within an address is a mark.
  if (bare !== undefined) return bare.replace(/[*`]/g, "\\$&");
  if (place !== undefined) return placeMark(slug(place)) || escapeInline(place, "");
  if (time !== undefined) return [time, groups["until"]].filter((each) => each !== undefined).join(" – ");
  if (sign !== undefined && inside !== undefined) return writeEmphasis(sign, inside, names, deep);
  if (source !== undefined) return codeSpan(source);
  if (groups["backend"] !== undefined) return writeSnippet(groups["backend"], groups["snippet"] ?? "");
  if (groups["lineEnd"] !== undefined) return "\\\n";
  if (shifted !== undefined)
    return groups["shift"] === "^" ? `^${escapeInline(shifted, "")}` : `\\_${escapeInline(shifted, "")}`;
  const tex = groups["tex"] ?? groups["block"] ?? groups["dollars"] ?? groups["dollar"];
  if (tex !== undefined) return mathsSpan(tex.replace(/\s+/g, " ").trim());
  return entity === undefined ? undefined : entityOf(entity);
}

const ENTITIES: Readonly<Record<string, string>> = {
  vert: "|",
  under: "_",
  star: "*",
  slash: "/",
  plus: "+",
  tilde: "~",
  equal: "=",
  hash: "#",
  dollar: "$",
  percent: "%",
  backslash: "\\",
  to: "→",
  dots: "…",
  ldots: "…",
  leq: "≤",
  geq: "≥",
  neq: "≠",
  infty: "∞",
  rightarrow: "→",
  leftarrow: "←",
  Rightarrow: "⇒",
  copyright: "©",
  TeX: "TeX",
  LaTeX: "LaTeX",
};

function entityOf(name: string): string | undefined {
  const known = ENTITIES[name] ?? inlineHtmlText(`&${name};`);
  return known === `&${name};` || known === "" ? undefined : escapeInline(known, " ");
}

function writeEmphasis(sign: string, inside: string, names: OrgNames, deep: number): string | undefined {
  if (sign === "=" || sign === "~") return codeSpan(inside.replace(/(?<!\s)\s*\n\s*/g, " "));
  if (deep >= DEEP_MAX) return undefined;
  const words = writeOrgInline(inside, names, deep + 1);
  if (words === "") return undefined;
  const mark = sign === "*" ? "**" : sign === "/" ? "*" : sign === "+" ? "~~" : "";
  // Of one kind within itself there is none.
  return mark !== "" && words.includes(mark) ? words : `${mark}${words}${mark}`;
}

function writeNote(given: string, words: string | undefined, names: OrgNames): string {
  const label = given === "" ? `note-${names.notes.length + 1}` : given;
  if (words !== undefined) names.notes.push({ label, words });
  return `[^${label}]`;
}

function writeSnippet(backend: string, snippet: string): string {
  if (/^(?:md|markdown|gfm)$/i.test(backend)) return snippet;
  return /^html$/i.test(backend) ? escapeInline(inlineHtmlText(snippet), "") : "";
}

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

function writeLink(target: string, label: string | undefined, names: OrgNames, deep: number): string {
  const [, short = "", rest = ""] = /^([\w-]{1,60}):([\s\S]*)$/.exec(target) ?? [];
  const address = names.abbreviations.get(short);
  const whole =
    address === undefined ? target : address.includes("%") ? address.replace(/%[sh]/, rest) : address + rest;
  const file = whole.replace(/^file:(?:\/\/(?=\/))?/, "");
  if (label === undefined && IMAGE.test(file)) return image(file);
  const labelFile = label?.trim().replace(/^file:/, "");
  const isPicture = labelFile !== undefined && IMAGE.test(labelFile) && !/\s/.test(labelFile);
  const href = hrefOf(whole, names);
  const words = isPicture
    ? image(labelFile)
    : label === undefined
      ? escapeInline(wordsOf(whole), "")
      : deep >= DEEP_MAX
        ? escapeInline(label, "")
        : writeOrgInline(label, names, deep + 1).replace(/(?<!\\)[[\]](?!\()/g, "\\$&");
  const safe = href === undefined ? undefined : safeLink(href);
  if (safe === undefined)
    return label === undefined && /^(?:elisp|help|man|info|doom|kbd|var|fn|face)/.test(short)
      ? codeSpan(rest)
      : words;
  // What is a link already ends where it does.
  return /\]\(/.test(words) && !isPicture
    ? words
    : `[${words || escapeLabel(whole)}](${escapeDestination(safe)})`;
}

function image(source: string): string {
  const safe = safeImage(source);
  return safe === undefined ? "" : `![](${escapeDestination(safe)})`;
}

/** What a link says that has no words of its own. */
const wordsOf = (target: string) =>
  target
    .replace(/^(?:file|id|elisp|help|info|man):/, "")
    .replace(/::[*#]?/, " ")
    .replace(/^[*#](?=\S)/, "");

/** Where a link leads; undefined for what leads nowhere that a browser goes. */
function hrefOf(target: string, names: OrgNames): string | undefined {
  if (/^(?:https?|ftp|mailto):/i.test(target)) return target;
  if (target.startsWith("#")) return target;
  if (target.startsWith("*")) return headingHref(target.slice(1), names);
  if (/^id:/i.test(target)) {
    const id = target.slice(3);
    const own = names.ids.get(id);
    return own === undefined ? names.otherId?.(id) : `#${own}`;
  }
  const isFile = /^(?:file:|\.{0,2}\/|~\/)/.test(target) || /^[^:\s][^:\n]{0,500}\.org(?:::|$)/.test(target);
  if (isFile) return fileHref(target);
  return /^[\w+.-]{1,40}:/.test(target) ? undefined : headingHref(target, names);
}

function headingHref(words: string, { headings }: OrgNames): string | undefined {
  const anchor = headings.get(keyOf(words));
  return anchor === undefined ? undefined : `#${anchor}`;
}

/** A heading's words as they are compared. */
export const keyOf = (words: string) => plainHeading(words).trim().replace(/\s+/g, " ").toLowerCase();

function fileHref(target: string): string {
  const [path = "", search = ""] = target.replace(/^file:(?:\/\/(?=\/))?/, "").split("::");
  if (search.startsWith("#")) return path + search;
  return search.startsWith("*") ? `${path}#${slug(plainHeading(search.slice(1)))}` : path;
}
