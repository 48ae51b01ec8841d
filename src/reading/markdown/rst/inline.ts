import { safeLink } from "@docent/kernel/text/safe-url";
import { codeSpan, escapeDestination, escapeInline, mathsSpan } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { footnoteLabel, type RstFootnotes } from "./footnotes.ts";
import { docutilsId } from "./titles.ts";
import type { RstDirective, RstWriting } from "./writing.ts";

/** What a page takes from the site that it is part of. All calls are made in the order of the text. */
export interface RstSite {
  /** A target with a name, on which an address may be written. Returns its id. */
  target(name: string, hasAddress: boolean): string;
  /** A target within words. Returns its id. */
  inlineTarget(name: string): string;
  /** Something that only takes a number of the page's ids. */
  numbered(): void;
  /** The id of a section with a title of this Markdown. */
  section(level: number, title: string): string;
  /** The ids of a described thing, the first its own; undefined leaves it to the usual rule. */
  object(name: string, signature: string): readonly string[] | undefined;
  /** Whatever else comes after a target. */
  otherBlock(): void;
  /** What a role says, as Markdown; undefined leaves it to the usual rule. */
  role(name: string, text: string): string | undefined;
  /** The page's own places by name; undefined for a name that is given twice. */
  anchors: ReadonlyMap<string, string | undefined>;
  /** The role of words that name none. */
  defaultRole: string | undefined;
  /** Writes a directive; false leaves it to the usual rule. */
  directive(directive: RstDirective, depth: number, out: string[], writing: RstWriting): boolean;
}

/** The targets of references and substitutions, by lower-case name. */
export interface RstNames {
  targets: Map<string, string>;
  /** Addresses without a name, for references without one, in order. */
  anonymous: string[];
  substitutions: Map<string, string>;
  /** Images that stand in lines, as Markdown. */
  images: Map<string, string>;
  footnotes: RstFootnotes;
  /** Where the text is a page of a site whose other pages are known. */
  site?: RstSite;
}

/** Every mark is bounded: a text of openings only would otherwise be searched to its end for each of them. */
const MARK = new RegExp(
  [
    /\\(?<escaped>[\s\S])/,
    /``(?<literal>[^\n]{1,500}?)``(?!`)/,
    /:(?<role>[a-zA-Z][\w:+.-]{0,40}):`(?<roleText>[^`]{1,500})`/,
    /`(?<laterText>[^`\s][^`]{0,500})`:(?<laterRole>[a-zA-Z][\w:+.-]{0,40}):/,
    /(?<![\w_])_`(?<inlineTarget>[^`\s][^`]{0,300})`/,
    /`(?<phrase>[^`\s][^`]{0,800})`(?<phraseEnd>__?)?/,
    /(?<!\w)\*\*(?<strong>[^\s*](?:[^*]{0,500}[^\s*\\])?)\*\*(?!\w)/,
    /(?<!\w)\*(?<emphasis>[^\s*](?:[^*]{0,500}[^\s*\\])?)\*(?!\w)/,
    /\|(?<substitution>[^|\s][^|\n]{0,100})\|_{0,2}/,
    /\[(?<footnote>[#*\w.-]{1,60})\]_/,
    /(?<![\w.:/@-])(?<reference>[A-Za-z0-9](?:[\w.+-]{0,60}?[A-Za-z0-9])?)(?<referenceEnd>__?)(?![\w/-])(?!\.\w)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const MAX_NESTING = 3;

/** Writes the words of a paragraph of reStructuredText as Markdown. */
export function writeRstInline(text: string, names: RstNames, nesting = 0): string {
  const flat = text.replace(/\s+/g, " ");
  const parts: string[] = [];
  let at = 0;
  for (const match of flat.matchAll(MARK)) {
    const written = writeMark(match.groups ?? {}, names, nesting);
    if (written === undefined) continue;
    parts.push(escapeInline(flat.slice(at, match.index), at === 0 ? "" : flat.charAt(at - 1)), written);
    at = match.index + match[0].length;
  }
  parts.push(escapeInline(flat.slice(at), at === 0 ? "" : flat.charAt(at - 1)));
  return parts.join("").trim();
}

/** Undefined where what looks like a mark is not one. */
function writeMark(
  groups: Partial<Record<string, string>>,
  names: RstNames,
  nesting: number,
): string | undefined {
  const { literal, strong, emphasis, phrase, reference, substitution, footnote, escaped } = groups;
  if (escaped !== undefined)
    return /\s/.test(escaped) ? "" : /[A-Za-z0-9]/.test(escaped) ? escaped : `\\${escaped}`;
  if (literal !== undefined) return codeSpan(literal.trim());
  if (strong !== undefined) return `**${escapeInline(strong, "*")}**`;
  if (emphasis !== undefined) return `*${escapeInline(emphasis, "*")}*`;
  const target = groups["inlineTarget"];
  if (target !== undefined)
    return placeMark(names.site?.inlineTarget(target) ?? docutilsId(target)) + escapeInline(target, "");
  const role = groups["role"] ?? groups["laterRole"];
  if (role !== undefined) return writeRole(role, groups["roleText"] ?? groups["laterText"] ?? "", names);
  if (phrase !== undefined) return writePhrase(phrase, groups["phraseEnd"], names);
  if (footnote !== undefined) {
    names.site?.numbered();
    const label = footnoteLabel(footnote, "marks", names.footnotes);
    return label === undefined ? `\\[${footnote}\\]` : `[^${label}]`;
  }
  if (substitution !== undefined) {
    const image = names.images.get(nameOf(substitution));
    if (image !== undefined) return image;
    const known = names.substitutions.get(nameOf(substitution));
    if (known === undefined) return escapeInline(substitution, "");
    return nesting < MAX_NESTING ? writeRstInline(known, names, nesting + 1) : escapeInline(known, "");
  }
  const address =
    reference === undefined
      ? undefined
      : groups["referenceEnd"] === "__"
        ? names.anonymous.shift()
        : names.targets.get(nameOf(reference));
  return address === undefined ? undefined : link(escapeInline(reference ?? "", ""), address);
}

/** A reference's name, normalized for comparison. */
export function nameOf(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

/**
 * Writes `` `words <target>`_ ``, `` `name`_ ``, or words in the default role, which are code where they look
 * like it.
 */
function writePhrase(phrase: string, end: string | undefined, names: RstNames): string {
  const { words, target } = splitTarget(phrase);
  const { site } = names;
  if (end === undefined && site?.defaultRole !== undefined) return writeRole(site.defaultRole, phrase, names);
  if (end === "_" && target !== undefined && !target.endsWith("_")) site?.target(words, true);
  if (end === undefined)
    return /^[\w.:()[\]*/~-]+$/.test(phrase)
      ? codeSpan(phrase.replace(/^~/, ""))
      : `*${escapeInline(phrase, "*")}*`;
  const named = target?.endsWith("_") ? names.targets.get(nameOf(target.slice(0, -1))) : target;
  const own = end === "__" ? names.anonymous.shift() : names.targets.get(nameOf(words));
  const url = target === undefined ? own : named;
  return link(escapeInline(words, ""), url);
}

const CODE_ROLES =
  /^(?:(?:py|c|cpp|js|rst|std|http):.+|class|meth|func|mod|attr|exc|obj|data|const|code|literal|samp|file|command|option|envvar|program|keyword|kbd|macro|type|member|var|makevar|setting|confval|djadmin|lookup|tfilter|ttag|token|regexp|cmdoption|source|path|cmd|field|enum|property|module)$/;

function writeRole(role: string, text: string, { site }: RstNames): string {
  const known = site?.role(role, text);
  if (known !== undefined) return known;
  const name = role.toLowerCase();
  if (name === "math") return mathsSpan(text);
  const { words, target } = splitTarget(text.replace(/\\(.)/g, "$1"));
  if (name === "doc")
    return link(escapeInline(target === undefined ? nameOfPage(words) : words, ""), target ?? words);
  if (name === "pep" || name === "rfc") return `${name.toUpperCase()} ${escapeInline(words, " ")}`;
  if (name === "download" || name === "raw" || name === "index") return escapeInline(words, "");
  if (CODE_ROLES.test(name)) return codeSpan(shortName(words));
  const escaped = escapeInline(shortName(words), "");
  return name === "strong" ? `**${escaped}**` : escaped;
}

/** Says of a page whose title is not known what its file is called. */
function nameOfPage(path: string): string {
  const name =
    path
      .replace(/\/index$/, "")
      .split("/")
      .at(-1) ?? path;
  return name.replace(/[-_]+/g, " ");
}

/** `~a.b.c` shows its last part, `!a.b` is not a link. */
function shortName(words: string): string {
  if (words.startsWith("!")) return words.slice(1);
  return words.startsWith("~") ? (words.split(/[.:]+/).at(-1) ?? words) : words;
}

function splitTarget(text: string): { words: string; target?: string } {
  const open = text.lastIndexOf("<");
  if (open < 0 || !text.endsWith(">")) return { words: text };
  const target = text.slice(open + 1, -1).replace(/\s+/g, "");
  const words = text.slice(0, open).trim();
  return { words: words === "" ? target : words, target };
}

function link(words: string, url: string | undefined): string {
  const safe =
    url === undefined ? undefined : safeLink(url.includes("@") && !url.includes(":") ? `mailto:${url}` : url);
  return safe === undefined ? words : `[${words}](${escapeDestination(safe)})`;
}
