import {
  escapeDestination,
  escapeLabel,
  mathsSpan,
  writeMarkdownTable,
} from "@docent/kernel/text/write-markdown";
import { placeMark } from "../../markdown/anchors.ts";
import { isCalloutName, writeTab } from "../../markdown/callouts.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import {
  cardHref,
  cardParts,
  depthInside,
  inOneLine,
  isCard,
  listRows,
  type RstDirective,
  readRstDirective,
} from "../../markdown/rst/rst.ts";
import { codeAt, writeCode } from "../writing/writing.ts";
import { lastModuleIn } from "./autodoc.ts";
import { partOf, type Reading, readLiteral, readNamed } from "./includes.ts";
import { directiveAt, type MystDirective, optionLines } from "./myst-directive.ts";
import type { PageContext } from "./rst-page.ts";
import { toctreeOf, writeRst } from "./rst-page.ts";

/** What MyST's markup is turned into Docent's Markdown with. */
interface MystContext extends PageContext {
  reading: Reading;
  words: ReadonlyMap<string, string>;
  prolog: string;
  /** What the page is in when it is read: names may be written without it. */
  scope: { module: string };
  /** Where a link leads, and what it is called where it has no words. */
  link(href: string): { href: string | undefined; title: string | undefined } | undefined;
}

const NESTED_MAX = 20;

/** Puts included files into their places, which has to be done before anything else is known. */
export async function expandMyst(
  text: string,
  from: string,
  reading: Reading,
  above: readonly string[] = [reading.location],
): Promise<string> {
  const lines = text.split(/\r\n?|\n/);
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const found = directiveAt(lines, at);
    const name = found?.name;
    if (found !== undefined && (name === "include" || name === "literalinclude")) {
      const { options } = readRstDirective("code-block", "", optionLines(found.lines));
      const inclusion = { path: found.argument, options };
      if (name === "include" && !options.has("literal") && !options.has("code")) {
        const file = await readNamed(found.argument, from, reading, above);
        const part = file === undefined ? "" : partOf(file.text, options);
        const inner =
          file === undefined
            ? ""
            : await expandMyst(part.replace(/^---\n[\s\S]*?\n---\n/, ""), file.location, reading, [
                ...above,
                file.location,
              ]);
        const isRst = options.get("parser") === "rst" || /\.(?:rst|txt)$/.test(found.argument);
        out.push(
          ...(isRst && options.has("parser")
            ? writeCode("{eval-rst}", inner.split("\n"))
            : inner.split("\n")),
        );
      } else {
        const code = await readLiteral(inclusion, from, reading);
        if (code !== undefined)
          out.push(
            ...writeCode(
              options.get("language") ?? options.get("code") ?? "",
              code.split("\n"),
              found.indent,
            ),
          );
      }
      at += found.length - 1;
      continue;
    }
    const code = found === undefined ? codeAt(lines, at) : undefined;
    if (code !== undefined) {
      out.push(...lines.slice(at, at + code.length));
      at += code.length - 1;
    } else out.push(lines[at] ?? "");
  }
  return out.join("\n");
}

/** A page in MyST, without its front matter, as Docent's Markdown. */
export function writeMyst(text: string, context: MystContext): string {
  return convert(text.split("\n"), context, 0).join("\n");
}

function convert(lines: readonly string[], context: MystContext, depth: number): string[] {
  const out: string[] = [];
  let paragraph = false;
  /** Where the labels above what comes next are marked: a heading has its own id. */
  let labelsAt: number | undefined;
  const label = (name: string) => {
    labelsAt ??= out.length;
    out.push("", placeMark(context.recorder.target(name, false)), "");
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const found = depth < NESTED_MAX ? directiveAt(lines, at) : undefined;
    if (found !== undefined) {
      const { indent } = found;
      out.push(
        "",
        ...writeDirective(found, context, depth).map((each) => (each === "" ? "" : indent + each)),
        "",
      );
      at += found.length - 1;
      paragraph = false;
      labelsAt = undefined;
      continue;
    }
    const code = codeAt(lines, at);
    if (code !== undefined) {
      labelsAt = undefined;
      context.recorder.otherBlock();
      out.push(...writeCode(/^[\w+#.-]*/.exec(code.info)?.[0] ?? "", code.lines, code.indent));
      at += code.length - 1;
      continue;
    }
    const name = labelIn(line);
    if (name !== undefined) {
      if (name !== "") label(name);
    } else if (/^%/.test(line) || /^\+\+\+/.test(line)) continue;
    else {
      const heading = headingAt(lines, at, paragraph);
      if (heading !== undefined) {
        if (depth === 0) out.length = labelsAt ?? out.length;
        labelsAt = undefined;
        out.push(...writeHeading(heading, context, depth));
        at += heading.length - 1;
        paragraph = false;
        continue;
      }
      if (line.trim() !== "") {
        context.recorder.otherBlock();
        labelsAt = undefined;
      }
      const more = linesOfMark(lines, at);
      out.push(...writeInline([line, ...more].join("\n"), context).split("\n"));
      at += more.length;
    }
    paragraph = line.trim() !== "";
  }
  return out;
}

/** The name that a line gives to what follows: `(name)=`, or `{#name}`; "" for attributes without one. */
function labelIn(line: string): string | undefined {
  const label = /^\s{0,3}\(([^()]{1,200})\)=\s*$/.exec(line)?.[1];
  const isAttributes = /^\s{0,3}\{[^{}%]*\}\s*$/.test(line) && !/^\s*\{\{/.test(line) && !line.includes("`");
  return label ?? (isAttributes ? (/#([^\s{}]+)/.exec(line)?.[1] ?? "") : undefined);
}

interface Heading {
  level: number;
  text: string;
  /** The number of its lines. */
  length: number;
}

/** The heading that begins on a line. */
function headingAt(lines: readonly string[], at: number, isParagraph: boolean): Heading | undefined {
  const line = lines[at] ?? "";
  const [, marks, text = ""] = /^ {0,3}(#{1,6})[ \t]+(|.+?(?<![ \t]))(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, text, length: 1 };
  const next = lines[at + 1] ?? "";
  if (isParagraph || line.trim() === "" || !/^ {0,3}(?:=+|-{2,})[ \t]*$/.test(next)) return undefined;
  return { level: next.trim().startsWith("=") ? 1 : 2, text: line.trim(), length: 2 };
}

/** Inside of something else, a heading is only its words. */
function writeHeading({ level, text }: Heading, context: MystContext, depth: number): string[] {
  const words = writeInline(text, context);
  if (depth > 0) return [`**${words}**`];
  return ["", `${"#".repeat(level)} ${words} {#${context.recorder.section(level, words)}}`, ""];
}

const MARK_LINES_MAX = 10;

/** The lines below that a role or a link goes on in. */
function linesOfMark(lines: readonly string[], at: number): string[] {
  const more: string[] = [];
  let whole = lines[at] ?? "";
  while (more.length < MARK_LINES_MAX && isMarkOpen(whole)) {
    const next = lines[at + 1 + more.length];
    if (next === undefined || next.trim() === "" || /^[ \t]*(?:`{3}|:{3}|#{1,6} |\()/.test(next)) return [];
    more.push(next);
    whole += `\n${next}`;
  }
  return isMarkOpen(whole) ? [] : more;
}

const isMarkOpen = (text: string) =>
  /\{[\w:+.-]{1,60}\}`[^`]{0,500}$/.test(text) || /(?<![!\\\]])\[[^\]]{1,300}$/.test(text);

const LABELLED =
  /^(?:dropdown|card|grid-item-card|details|admonition|topic|sidebar|rubric|versionadded|versionchanged|deprecated|versionremoved)$/;

const DROPPED =
  /^(?:contents|tableofcontents|index|highlight|raw|meta|(?:py:)?currentmodule|tags|autosummary|bibliography|footbibliography|glue(?::.*)?)$/;
/** What is written as in reStructuredText. */
const OF_RST =
  /^(?:py:|js:|rst:|c:|cpp:|http:|auto)|^(?:option|confval|envvar|function|class|method|attribute|data|exception|module|program|csv-table)$/;
const ARRANGING =
  /^(?:glossary|tab-set|tabs|grid-item|grid|card-carousel|div|container|table|figure-md|margin|epigraph|card-header|versions|nb-exec-table|only|toggle|example|aside|sidebar|pull-quote|highlights|compound|hlist|tab-set-code|exercise-start|exercise-end)$/;
const PROOF = /^(?:(?:prf|proof):)?((?<=:)\w+|exercise|solution)$/;
const CODE =
  /^(?:code|code-block|sourcecode|code-cell|prompt|literalinclude|parsed-literal|ipython|console|doctest|testcode)$/;

const writeCodeBlock = (language: string, caption: string, content: readonly string[]) => [
  ...(caption === "" ? [] : [`**${caption}**`, ""]),
  ...writeCode(/^[\w+#.-]*/.exec(language)?.[0] ?? "", content),
];

function writeDirective(found: MystDirective, context: MystContext, depth: number): string[] {
  const name = found.name.toLowerCase();
  const { options, content } = readRstDirective("code-block", "", optionLines(found.lines));
  const { argument } = found;
  const given = options.get("name");
  if (given !== undefined) context.recorder.target(given, false);
  const inner = () => convert(content, context, depthInside({ name, content }, depth));
  if (name === "toctree") {
    context.recorder.facts.toctrees.push(toctreeOf(options, content));
    return [];
  }
  context.recorder.otherBlock(options.get("caption"));
  const module = /^(?:py:)?(?:current)?module$/.test(name) ? argument : undefined;
  if (module !== undefined) context.scope.module = module === "None" ? "" : module;
  if (name === "eval-rst") return writeRstPart(`${context.prolog}\n${found.lines.join("\n")}`, context);
  if (CODE.test(name)) return writeCodeBlock(argument, options.get("caption") ?? "", content);
  if (name === "math")
    return writeCode(
      "math",
      [argument, ...content].filter((line) => line !== ""),
    );
  if (name === "mermaid" || name === "graphviz")
    return writeCode(name === "mermaid" ? "mermaid" : "dot", content);
  if (DROPPED.test(name)) return [];
  if (name === "only" && !/html/.test(argument)) return [];
  if (name === "image" || name === "figure")
    return [`![${escapeLabel(options.get("alt") ?? "")}](${argument.replace(/ /g, "%20")})`, "", ...inner()];
  if (isCard(name)) return writeCard({ argument, options, content }, context, depth);
  // Theorems and exercises are called by what they are.
  const proof = PROOF.exec(name)?.[1];
  if (proof !== undefined) {
    const title = `${proof.charAt(0).toUpperCase()}${proof.slice(1)}${argument === "" ? "" : ` (${argument})`}`;
    return writeCallout("admonition", title, inner(), depth, context);
  }
  if (isCalloutName(name) || name === "seealso" || name === "admonition" || name === "topic")
    return writeCallout(name, argument, inner(), depth, context);
  if (name === "list-table") return writeListTable(argument, content, context, depth);
  if (OF_RST.test(name))
    return writeRstPart(
      [`.. ${name}:: ${argument}`, ...found.lines.map((line) => `   ${line}`)].join("\n"),
      context,
    );
  if (name === "tab-item" || name === "tab")
    return [...writeTab(writeInline(argument, context), ["", ...inner(), ""], { isNested: depth > 0 })];
  if (LABELLED.test(name))
    return [...(argument === "" ? [] : [`**${writeInline(argument, context)}**`, ""]), ...inner()];
  if (/^button-(?:ref|link)$/.test(name)) return [writeButton(name, { argument, options, content }, context)];
  if (!ARRANGING.test(name))
    context.faults.add(`the directive "${found.name}" is not known: its words are kept`);
  return inner();
}

/** reStructuredText in a page of MyST, which is in the module that was named last, in either of them. */
function writeRstPart(text: string, context: MystContext): string[] {
  const { scope } = context;
  const begin = scope.module === "" ? "" : `.. py:currentmodule:: ${scope.module}\n\n`;
  scope.module = lastModuleIn(text.split("\n")) ?? scope.module;
  return writeRst(begin + text, context).split("\n");
}

/** A table whose rows are lists: its cells have MyST in them. */
function writeListTable(
  title: string,
  content: readonly string[],
  context: MystContext,
  depth: number,
): string[] {
  const rows = listRows(content).map((row) =>
    row.map((cell) =>
      inOneLine(
        convert(cell.split("\n"), context, depth + 1)
          .join("\n")
          .split(/\n{2,}/),
      ).replace(/(?<!\\)\|/g, "\\|"),
    ),
  );
  const table = rows.length === 0 ? [] : writeMarkdownTable(rows).split("\n");
  return [...(title === "" ? [] : [`**${writeInline(title, context)}**`, ""]), ...table];
}

/** A button is a link, to a page or a label in `button-ref`. */
function writeButton(
  name: string,
  { argument, options, content }: Pick<RstDirective, "argument" | "options" | "content">,
  context: MystContext,
): string {
  const words = content.join(" ").trim();
  if (name === "button-link")
    return `[${writeInline(words, context) || argument}](${escapeDestination(argument)})`;
  return writeRole(
    options.get("ref-type") ?? "any",
    words === "" ? argument : `${words} <${argument}>`,
    context,
  );
}

/** A card's title leads where the card does. */
function writeCard(
  { argument, options, content }: Pick<RstDirective, "argument" | "options" | "content">,
  context: MystContext,
  depth: number,
): string[] {
  const { head, body } = cardParts(content);
  const title = writeInline(argument || head, context).replaceAll("**", "");
  const named = cardHref(options, { site: { role: (role, text) => writeRole(role, text, context) } });
  const href = named === undefined ? undefined : (context.link(named)?.href ?? named);
  const shown = href === undefined ? title : `[${title}](${href})`;
  return [...(title === "" ? [] : [`**${shown}**`, ""]), ...convert(body, context, depth + 1)];
}

/** What stands on a callout's first line is its title where its kind wants one, and else its first words. */
function writeCallout(
  name: string,
  argument: string,
  body: readonly string[],
  depth: number,
  context: MystContext,
): string[] {
  const isTitled = name === "admonition" || name === "topic";
  const words = writeInline(argument, context);
  const title = (isTitled ? words : name === "seealso" ? "See also" : "").replace(/[[\]]/g, "");
  const lines = isTitled || words === "" ? body : [words, ...body];
  const kind = isCalloutName(name) ? name : "note";
  if (depth === 0) return [`:::${kind}${title === "" ? "" : `[${title}]`}`, "", ...lines, "", ":::"];
  return [`**${title || kind.charAt(0).toUpperCase() + kind.slice(1)}**`, "", ...lines];
}

const INLINE =
  /\{([\w][\w:+.-]{0,60})\}(`+)(?!`)([\s\S]{1,1000}?)(?<!`)\2(?!`)|(`+)(?!`)[^\n]{0,1000}?(?<!`)\4(?!`)|\{\{\s*([\w.-]{1,100})[^{}\n]{0,200}\}\}|<(project|path):([^<>\s]{1,300})>|(?<![!\\])\[((?:[^[\]]|\[[^[\]]{0,200}\]){0,500})\]\(<?([^()\s<>]{1,500}|[^()<>\n]{1,300}(?=>))>?\)|<!--[\s\S]{0,2000}?-->|\[([^[\]\n]{1,300})\]\{([#.][^{}\n`]{1,200})\}|(?<=[`)*_])\{([#.][^{}\n`]{1,200})\}/g;

/** Roles, substitutions and links in a line. */
function writeInline(line: string, context: MystContext, depth = 0): string {
  if (!/[{<[]/.test(line)) return line;
  return line.replace(
    INLINE,
    (
      whole,
      role?: string,
      _ticks?: string,
      text?: string,
      code?: string,
      key?: string,
      scheme?: string,
      target?: string,
      words?: string,
      href?: string,
      span?: string,
      ofSpan?: string,
      ofOther?: string,
    ) => {
      if (role !== undefined) return writeRole(role, text ?? "", context);
      if (code !== undefined) return whole;
      if (key !== undefined) {
        const value = context.words.get(key);
        if (value === undefined) context.faults.add(`the substitution "${key}" is not known`);
        return value === undefined ? key : depth < 3 ? writeInline(value, context, depth + 1) : value;
      }
      const attributes = ofSpan ?? ofOther;
      if (attributes !== undefined) return placeIn(attributes) + writeInline(span ?? "", context, depth + 1);
      const written = scheme === undefined ? href : target;
      if (written === undefined) return "";
      const found = /^inv:/.test(written)
        ? { href: undefined, title: undefined }
        : context.link(written.replace(/^(?:project|path):/, ""));
      const shown = words === undefined || words === "" ? found?.title : undefined;
      const label = shown === undefined ? (words ?? "") : escapeLabel(shown);
      if (found === undefined) return scheme === undefined ? whole : written;
      if (found.href === undefined) return writeInline(label || written, context, depth + 1);
      return `[${writeInline(label || written, context, depth + 1)}](${found.href})`;
    },
  );
}

/** The place that attributes in a line name: `{#name .class}`. */
function placeIn(attributes: string): string {
  const id = /(?:^|\s)#([^\s{}]+)/.exec(attributes)?.[1];
  return id === undefined ? "" : placeMark(id);
}

function writeRole(role: string, text: string, context: MystContext): string {
  const known = context.reference(role, text.replace(/\s+/g, " "), {
    program: "",
    module: context.scope.module,
  });
  if (known !== undefined) return known;
  if (role === "math") return mathsSpan(text);
  if (
    /^(?:sub-ref|subscript|sup|sub|superscript|abbr|index|term|ref|doc|emphasis|download|numref|eq|footcite|cite|bdg|icon|octicon|fa\w?)/.test(
      role,
    )
  )
    return inlineText(text);
  if (role === "strong") return `**${text}**`;
  return `\`${text}\``;
}
