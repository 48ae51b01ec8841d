import { safeLink } from "@docent/kernel/text/safe-url";
import { codeFence, escapeDestination, escapeLabel } from "@docent/kernel/text/write-markdown";
import { writeTab } from "../callouts.ts";
import { isForDarkPages, withWidth } from "../image-width.ts";
import { isCard, writeCard } from "./cards.ts";
import { writeRows } from "./cells.ts";
import { DESCRIPTION_OPTIONS, isDescription, writeDescription } from "./descriptions.ts";
import { writeRstInline } from "./inline.ts";
import { dedentBlock, isBlank } from "./lines.ts";
import { csvRows, listRows } from "./tables.ts";
import { pushStrong, type RstDirective, type RstWriting } from "./writing.ts";

const DROPPED = words(
  "toctree contents index highlight default-role role meta raw include literalinclude rst-class sectionauthor " +
    "codeauthor moduleauthor tabularcolumns sectnum header footer unicode date replace graphviz digraph graph uml mermaid " +
    "autosummary plot py:currentmodule ifconfig target-notes title inheritance-diagram testsetup testcleanup doctest-requires",
);
const CODE = words(
  "code code-block sourcecode prompt parsed-literal doctest testcode testoutput ipython console terminal code-tab " +
    "literal-include literal jupyter-execute code-cell",
);
/** What they are given is how they look. */
const ARRANGING = words(
  "grid grid-item tab-set tab-set-code card-carousel container div compound hlist columns article-info",
);
/** A project's own, which shows what it runs: `click:example`. */
const RUN = /^[a-z]{1,40}:(?:example|exec|invoke|run)$/;
const NOTES = words(
  "attention caution danger error hint important note tip warning seealso admonition topic sidebar rubric todo " +
    "versionadded versionchanged deprecated versionremoved dropdown tab tab-item group-tab card grid-item-card details centered",
);
const VERSIONS = new Map([
  ["versionadded", "New in version"],
  ["versionchanged", "Changed in version"],
  ["deprecated", "Deprecated since version"],
  ["versionremoved", "Removed in version"],
]);
/** Reads a directive from its first line and the block below. */
export function readRstDirective(name: string, argument: string, block: readonly string[]): RstDirective {
  const lines = dedentBlock(block);
  const options = new Map<string, string>();
  let at = 0;
  // An argument may continue below the first line, up to the options or a blank line.
  const more: string[] = [];
  const isArgumentOpen = argument !== "" && !isBlank(block[0]) && isDescription(name);
  while (isArgumentOpen && at < lines.length && !isBlank(lines[at]) && !/^:[\w-]/.test(lines[at] ?? "")) {
    more.push(lines[at] ?? "");
    at += 1;
  }
  let last: string | undefined;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    // A value may go on below, further in; in MyST, behind a colon.
    const more = last === undefined ? undefined : /^(?:\s+|:\s+)(\S.*)$/.exec(line)?.[1];
    if (last !== undefined && more !== undefined) {
      options.set(last, `${options.get(last) ?? ""} ${more.trim()}`.trim());
      continue;
    }
    const option = /^:([\w-]{1,60}):(?:\s+(.*))?$/.exec(line);
    if (option === null || (isDescription(name) && !DESCRIPTION_OPTIONS.has(option[1] ?? ""))) break;
    last = option[1] ?? "";
    options.set(last, option[2]?.trim() ?? "");
  }
  return {
    name: name.toLowerCase(),
    argument: [argument, ...more].join("\n").trim(),
    options,
    content: dedentBlock(lines.slice(at)),
  };
}

/** Appends a directive to a list of blocks; of an unknown one, its words. */
export function writeDirective(
  directive: RstDirective,
  depth: number,
  out: string[],
  writing: RstWriting,
): void {
  const { name, argument, options, content } = directive;
  if (ARRANGING.has(name)) {
    writing.body(content, depthInside(directive, depth), out);
    return;
  }
  if (name === "configuration-block") {
    writing.body(asCodeTabs(content), depth, out);
    return;
  }
  if (/^(?:py:)?(?:current)?module$/.test(name)) writing.module = argument === "None" ? "" : argument;
  if (writing.names.site?.directive(directive, depth, out, writing)) return;
  if (name === "highlight") writing.codeLanguage = languageOf(name, argument);
  if (DROPPED.has(name) || isStyle(name, argument)) return;
  if (name === "code-tab") writeCodeTab(directive, depth, out, writing);
  else if (CODE.has(name) || RUN.test(name)) writeCodeDirective(directive, out, writing);
  else if (name === "image" || name === "figure") writeFigure(directive, depth, out, writing);
  else if (name === "math") out.push(codeFence([argument, ...content].filter(Boolean).join("\n"), "math"));
  else if (name === "list-table") writeRows(listRows(content), argument, out, writing);
  else if (name === "csv-table") writeCsv(directive, out, writing);
  else if (NOTES.has(name)) writeNote(directive, depth, out, writing);
  else if (isDescription(name)) writeDescription(directive, depth, out, writing);
  else {
    const isTitle = /\s|^[A-Z]/.test(argument) && !argument.includes("/");
    const isWordy = name === "table" || name === "tabs" || isTitle;
    if (argument !== "" && isWordy && name !== "only" && name !== "container")
      pushStrong(out, argument, writing);
    else if (options.size === 0 && content.length === 0 && name !== "module" && isTitle)
      pushStrong(out, argument, writing);
    writing.body(content, depthInside(directive, depth), out);
  }
}

/** `class` names a style in docutils, and a class in Sphinx. */
function isStyle(name: string, argument: string): boolean {
  return name === "class" && !/[(.A-Z]/.test(argument);
}

function writeCodeDirective(
  { name, argument, options, content }: RstDirective,
  out: string[],
  writing: RstWriting,
): void {
  const caption = options.get("caption") ?? "";
  if (caption) pushStrong(out, caption, writing);
  const language = languageOf(name, argument) || (name === "parsed-literal" ? "" : writing.codeLanguage);
  if (content.length > 0) out.push(codeFence(content.join("\n"), language));
}

/** A tab whose label stands behind its language. */
function writeCodeTab(directive: RstDirective, depth: number, out: string[], writing: RstWriting): void {
  const label = writeRstInline(directive.argument.split(/\s+/).slice(1).join(" "), writing.names);
  const inner: string[] = [];
  writeCodeDirective(directive, inner, writing);
  out.push(...writeTab(label, inner, { isNested: depth > 0 }));
}

const FORMATS = new Map(
  Object.entries({
    "php-attributes": "Attributes",
    "php-annotations": "Annotations",
    "php-symfony": "Framework Use",
    "php-standalone": "Standalone Use",
    terminal: "Bash",
    env: "Bash",
    twig: "Twig",
    "html+twig": "Twig",
    "html+php": "PHP",
  }),
);

/** Symfony's blocks of the same configuration in several formats, as a tab for each. */
const asCodeTabs = (content: readonly string[]) =>
  content.map((line) => {
    const format = /^\.\. code-block:: *([\w+-]+) *$/.exec(line)?.[1];
    if (format === undefined) return line;
    const label = FORMATS.get(format) ?? format.toUpperCase();
    return `.. code-tab:: ${format.replace(/^php-.*/, "php")} ${label}`;
  });

function languageOf(name: string, argument: string): string {
  if (name === "doctest" || name === "testcode" || name === "ipython") return "python";
  if (name === "console" || name === "terminal") return "console";
  const language = argument.split(/\s+/)[0]?.toLowerCase() ?? "";
  return /^[a-z][\w+#.-]{0,39}$/.test(language) && !/^(?:none|text|default)$/.test(language) ? language : "";
}

function writeFigure(directive: RstDirective, depth: number, out: string[], writing: RstWriting): void {
  const { content } = directive;
  const image = writeImage(directive);
  if (image !== "") out.push(image);
  writing.body(content, depth + 1, out);
}

/** An image as Markdown; "" for the second one of a pair, which is for dark pages. */
export function writeImage({ argument, options }: RstDirective): string {
  if (isForDarkPages(options.get("class") ?? "")) return "";
  const alt = escapeLabel((options.get("alt") ?? "").replace(/\s+/g, " ").trim());
  const source = safeLink(argument.replace(/\s+/g, ""));
  if (source === undefined || source === "") return alt;
  return `![${alt}](${escapeDestination(withWidth(source, options.get("width")))})`;
}

const TAB = /^(?:tab|tab-item|group-tab)$/;
const TAB_SET = /^(?:tab-set|tabs)$/;
const TAB_LINE = /^(?:\.\. |[:`]{3,}\{)(?:tab|tab-item|group-tab|code-tab)(?:::|\})/;

/** The depth of what a directive holds: tabs of a set at the margin are there too. */
export function depthInside(
  { name, content }: Pick<RstDirective, "name" | "content">,
  depth: number,
): number {
  const first = content.find((line) => line.trim() !== "") ?? "";
  return depth === 0 && TAB_SET.test(name) && TAB_LINE.test(first) ? 0 : depth + 1;
}

function writeNote(
  { name, argument, options, content }: RstDirective,
  depth: number,
  out: string[],
  writing: RstWriting,
): void {
  const version = VERSIONS.get(name);
  const isTitled =
    /^(?:admonition|topic|sidebar|rubric|dropdown|tab|tab-item|group-tab|card|grid-item-card|details|centered)$/.test(
      name,
    );
  const given = options.get("title") ?? "";
  if (isCard(name)) {
    writeCard({ name, argument, options, content }, depth, out, writing);
    return;
  }
  if (version !== undefined) {
    const [number = "", ...rest] = argument.split(/\s+/);
    out.push(`**${version} ${writeRstInline(number, writing.names)}**`);
    writing.body([rest.join(" "), ...content], depth + 1, out);
    return;
  }
  if (TAB.test(name)) {
    const inner: string[] = [];
    writing.body(content, depth + 1, inner);
    const label = writeRstInline(argument, writing.names).replaceAll("**", "");
    out.push(...writeTab(label, inner, { isNested: depth > 0 }));
    return;
  }
  pushStrong(out, isTitled ? argument : given || titleOf(name), writing);
  writing.body(isTitled ? content : [argument, ...content], depth + 1, out);
}

function titleOf(name: string): string {
  return name === "seealso" ? "See also" : name.charAt(0).toUpperCase() + name.slice(1);
}

function writeCsv({ argument, options, content }: RstDirective, out: string[], writing: RstWriting): void {
  const header = options.get("header");
  writeRows(csvRows(header === undefined ? content : [header, ...content]), argument, out, writing);
}

function words(text: string): Set<string> {
  return new Set(text.split(" "));
}
