import { placeMark } from "../../markdown/anchors.ts";
import { isCalloutName } from "../../markdown/callouts.ts";
import {
  dedentBlock,
  type RstDirective,
  type RstSite,
  type RstWriting,
  rstToMarkdown,
  writeDefinitions,
  writeRstInline,
} from "../../markdown/rst/rst.ts";
import { objectId, type PageRecorder, type Toctree } from "./page-facts.ts";
import type { ReferenceScope } from "./references.ts";
import { withSmartQuotes } from "./smart-quotes.ts";

/** What writing a page takes from its site. */
export interface PageContext {
  recorder: PageRecorder;
  /** What a role says; undefined where the other pages are not yet known. */
  reference(role: string, text: string, scope: ReferenceScope): string | undefined;
  defaultRole: string | undefined;
  faults: Set<string>;
  markdown(text: string): string;
  /** The page's own names of places, which it may refer to by name. */
  anchors: ReadonlyMap<string, string | undefined>;
}

const CALLABLE_PY =
  /^(?:py:|auto)?(?:function|method|class|classmethod|staticmethod|attribute|data|exception|decorator|property|module|type|decoratormethod)$/;
const QUALIFIERS = /^(?:(?:abstract|async|class|static|final|property|classmethod|staticmethod)\s+)+/;

/** Turns reStructuredText into Markdown as a page of a site. */
export function writeRst(text: string, context: PageContext): string {
  return rstToMarkdown(text, siteOf(context));
}

const TRANSPARENT =
  /^(?:index|highlight|currentmodule|py:currentmodule|rst-class|program|default-role|role|module|py:module)$/;
const TITLED = /^(?:admonition|topic|sidebar)$/;

function siteOf(context: PageContext): RstSite {
  const { recorder } = context;
  let program = "";
  const here: { writing: RstWriting | undefined } = { writing: undefined };
  const names = { defaultRole: context.defaultRole };
  return {
    get defaultRole() {
      return names.defaultRole;
    },
    anchors: context.anchors,
    target: recorder.target,
    inlineTarget: recorder.inlineTarget,
    numbered: recorder.numbered,
    section: recorder.section,
    otherBlock: () => recorder.otherBlock(),
    role: (role, words) => context.reference(role, words, { program, module: here.writing?.module ?? "" }),
    object(name, signature) {
      return recordObject(recorder, name, signature, program);
    },
    directive(directive, depth, out, writing) {
      const { name, argument, options, content } = directive;
      const given = options.get("name");
      if (given !== undefined) recorder.target(given, false);
      const isLabelled = /^(?:figure|table|list-table|csv-table|code-block|literalinclude|math)$/.test(name);
      if (!TRANSPARENT.test(name)) recorder.otherBlock(isLabelled ? captionOf(directive) : undefined);
      if (name === "program") program = argument === "None" ? "" : argument.replace(/\s+/g, "-");
      if (name === "default-role") names.defaultRole = argument || undefined;
      here.writing = writing;
      if (/^(?:py:|auto)?module$/.test(name)) {
        if (!options.has("no-index") && !options.has("noindex")) recordModule(recorder, argument, depth, out);
        writing.body(content, depth + 1, out);
      } else if (name === "toctree") recorder.facts.toctrees.push(toctreeOf(options, content));
      else if (name === "glossary") writeGlossary(content, depth, out, writing, recorder);
      else if (name === "docent-markdown") out.push(context.markdown(content.join("\n")));
      else if (name === "only" && !/html|not\s+latex|^\s*$/.test(argument)) return true;
      else if (name === "rubric") out.push(`**${writeRstInline(argument, writing.names)}**`);
      else if (isCalloutName(name) || TITLED.test(name) || name === "seealso")
        writeCallout(directive, depth, out, writing);
      else return false;
      return true;
    },
  };
}

/** A module at the beginning of a section gives its id to it, unless docutils says there that words are repeated. */
function recordModule(recorder: PageRecorder, name: string, depth: number, out: string[]): void {
  const id = recorder.object("py", name, `module-${name}`, "module");
  const section = recorder.facts.sections.at(-1);
  const heading = out.at(-1);
  if (depth > 0 || section === undefined || section.isRepeated === true || heading === undefined) return;
  if (!heading.startsWith("#") || !heading.endsWith(` {#${section.id}}`)) return;
  out[out.length - 1] = heading.replace(/ \{#[^{}]*\}$/, () => ` {#${id}}`);
  section.id = id;
}

function captionOf({ name, argument, options, content }: RstDirective): string | undefined {
  const [first = ""] = content;
  const caption = name === "figure" ? first : (options.get("caption") ?? argument);
  return caption === "" ? undefined : withSmartQuotes(caption);
}

export function toctreeOf(options: ReadonlyMap<string, string>, content: readonly string[]): Toctree {
  const caption = options.get("caption");
  return {
    caption: caption ? withSmartQuotes(caption) : undefined,
    entries: content
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .slice(0, 10_000),
    isGlob: options.has("glob"),
    isReversed: options.has("reversed"),
    isNumbered: options.has("numbered"),
  };
}

/** A callout at the top of a page; one inside of something is words with its name above, which no list ends. */
function writeCallout(
  { name, argument, content }: RstDirective,
  depth: number,
  out: string[],
  writing: RstWriting,
): void {
  const isTitled = TITLED.test(name);
  const titleWords = isTitled
    ? writeRstInline(argument, writing.names)
    : name === "seealso"
      ? "See also"
      : "";
  const lines = isTitled ? content : [argument, ...content];
  const inner: string[] = [];
  writing.body(lines, depth + 1, inner);
  const kind = isCalloutName(name) ? name : "note";
  if (depth === 0) {
    const title = titleWords.replace(/[[\]]/g, "");
    out.push([`:::${kind}${title === "" ? "" : `[${title}]`}`, ...inner, ":::"].join("\n\n"));
    return;
  }
  const label = titleWords || `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  out.push(`**${label.replaceAll("**", "")}**`, ...inner);
}

/** Terms, which have ids of their own, with what they mean. */
function writeGlossary(
  content: readonly string[],
  depth: number,
  out: string[],
  writing: RstWriting,
  recorder: PageRecorder,
): void {
  const entries: { terms: string[]; lines: string[] }[] = [];
  for (const line of content) {
    const term = /^(?!\.\.(?:\s|$))(\S.*?)(?:(?<!\s)\s+:\s+.*)?$/.exec(line)?.[1];
    const last = entries.at(-1);
    if (term === undefined) last?.lines.push(line);
    else if (last !== undefined && last.lines.length === 0) last.terms.push(term);
    else entries.push({ terms: [term], lines: [] });
  }
  const marks = new Map(
    entries.flatMap(({ terms }) =>
      terms.map((term) => {
        const id = recorder.object("term", term.toLowerCase(), objectId("term", term));
        return [term, placeMark(id)] as const;
      }),
    ),
  );
  const definitions = entries.map(({ terms, lines }) => {
    const blocks: string[] = [];
    writing.body(dedentBlock(lines), depth + 1, blocks);
    return {
      terms: terms.map((term) => (marks.get(term) ?? "") + writeRstInline(term, writing.names)),
      blocks,
    };
  });
  out.push(...writeDefinitions(definitions));
}

/** The ids of a described thing; "" where a run would tell it. */
function recordObject(
  recorder: PageRecorder,
  directive: string,
  signature: string,
  program: string,
): readonly string[] {
  const kind = directive.replace(/^std:/, "");
  const name = signature.replace(QUALIFIERS, "").replace(/[\s(:=[].*$/, "");
  if (CALLABLE_PY.test(kind)) return [recorder.object("py", name, name, kind.replace(/^(?:py:|auto)/, ""))];
  if (kind === "option" || kind === "cmdoption") {
    const prefix = program === "" ? "cmdoption" : `cmdoption-${program}`;
    const names = [...signature.matchAll(/(?:^|, *)((?:\/|--?|\+)?[^\s,=[<]+)/g)].map(
      ([, each = ""]) => each,
    );
    const ids = names.map((each) => objectId(prefix, each));
    // References to any of them lead to the first.
    for (const each of names)
      recorder.object("option", program === "" ? each : `${program} ${each}`, ids[0] ?? "");
    return ids;
  }
  if (/^(?:c|cpp|http|auto\w*)(?::|$)|^auto/.test(kind) || /^(?:describe|object)$/.test(kind)) return [""];
  if (kind.startsWith("js:")) return [recorder.object("js", name, name.replace(/(?<!\W)\W+$/, ""))];
  if (kind.startsWith("rst:")) {
    const short = kind.slice(4).replace(":", "-");
    return [recorder.object(kind, signature, objectId(short, signature.replace(/^\.\.\s*|::.*$|:/g, "")))];
  }
  return [recorder.object(kind, signature, objectId(kind.replace(":", "-"), signature))];
}
