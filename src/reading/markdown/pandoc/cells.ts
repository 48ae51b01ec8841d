import { asRecord, asText } from "@docent/kernel/text/json";
import { codeFence } from "@docent/kernel/text/write-markdown";
import { type Attributes, readAttributes } from "./attributes.ts";
import type { PandocProject } from "./references.ts";
import { codeWithValues } from "./shortcodes.ts";

/** What stands behind the opening fence of code. */
type CellHead =
  | { kind: "raw"; format: string }
  | { kind: "code"; language: string; attributes: Attributes | undefined }
  | { kind: "cell"; language: string; label: string | undefined; options: Map<string, string> };

export function readHead(info: string): CellHead {
  const [, format] = /^\{=([\w-]{1,30})\}$/.exec(info) ?? [];
  if (format !== undefined) return { kind: "raw", format };
  const [, shown] = /^\{\{+\s*([\w+#.-]{1,40})/.exec(info) ?? [];
  if (shown !== undefined) return { kind: "code", language: shown.toLowerCase(), attributes: undefined };
  const [, named = "", braces] = /^([^\s{}]{0,60})[ \t]*(\{.*\})?$/.exec(info) ?? [];
  const attributes = braces === undefined ? undefined : readAttributes(braces.slice(1, -1));
  const isAttributes = named !== "" || /^\{\s*[.#]/.test(info);
  if (braces === undefined || isAttributes)
    return { kind: "code", language: named || languageIn(attributes) || "", attributes };
  const [, language = "", rest = ""] = /^\{[ \t]*([A-Za-z][\w.+-]{0,40})[ \t,]*(.*)\}$/.exec(info) ?? [];
  if (language === "") return { kind: "code", language: "", attributes };
  const [, label] = /^([^\s,={}]+)[ \t]*(?:,|$)/.exec(rest) ?? [];
  const options = new Map(knitrOptions(label === undefined ? rest : rest.slice(label.length)));
  return { kind: "cell", language, label, options };
}

/** Classes that say how code is shown, and not what it is. */
const languageIn = (attributes: Attributes | undefined) =>
  attributes?.classes.find(
    (name) => !/^(?:numberLines|number-lines|line-numbers|cell-code|unnumbered)$/.test(name),
  );

/** What languages are called outside of cells. */
const LANGUAGES: Readonly<Record<string, string>> = { ojs: "js", node: "js", rcpp: "cpp", stan: "stan" };
/** What is drawn from a cell, or taken in by it, is no code of the page. */
const NO_CODE = /^(?:embed|include|block2?|asis|verbatim|comment|css|scss|sass|cat)$/;

/** How a page shows its cells where they don't say. */
export interface CellDefaults {
  echo: boolean;
  include: boolean;
}

interface WrittenCell {
  /** Markdown, blank where nothing is shown. */
  code: string;
  /** What is said below its picture or table. */
  caption: string;
  /** The place that references lead to. */
  label: string | undefined;
  isRun: boolean;
}

/** The code of a cell and the words below its picture, as a page shows them. */
export function writeCell(
  head: CellHead & { kind: "cell" },
  lines: readonly string[],
  { defaults, project }: { defaults: CellDefaults; project: PandocProject },
): WrittenCell {
  const { options: said, code } = withoutOptions(lines.join("\n"));
  const options = new Map([...head.options, ...said]);
  const of = (...names: string[]) =>
    names.map((name) => options.get(name)).find((value) => value !== undefined && !isComputedOption(value));
  const label = labelOf(head, options);
  const isRun = of("eval") !== "false";
  const isIncluded = (of("include") ?? String(defaults.include)) !== "false" && !options.has("hide");
  if (!isIncluded || head.language === "comment") return { code: "", caption: "", label: undefined, isRun };
  const isEchoed = (of("echo") ?? String(defaults.echo)) !== "false" && !NO_CODE.test(head.language);
  const text = withoutAnnotations(code).replace(/^\n+/, "").trimEnd();
  const language = head.language.toLowerCase();
  const caption = of("fig-cap", "fig.cap", "tbl-cap", "tab.cap", "lst-cap", "caption") ?? "";
  return {
    code:
      isEchoed && text !== ""
        ? codeFence(codeWithValues(text, project), LANGUAGES[language] ?? language)
        : "",
    caption: /^(?:true|false)$/.test(caption) ? "" : caption,
    label,
    isRun,
  };
}

/** Quarto's labels say what they are of; bookdown puts that before the chunk's. */
function labelOf(
  head: CellHead & { kind: "cell" },
  options: ReadonlyMap<string, string>,
): string | undefined {
  const label = options.get("label") ?? head.label;
  if (label === undefined || /^(?:fig|tbl|lst)-/.test(label)) return label;
  return options.has("fig.cap") ? `fig:${label}` : undefined;
}

/** Numbers behind lines, which a list below explains: `# <1>`. */
export const withoutAnnotations = (code: string) =>
  code.includes("<")
    ? code.replace(
        /(?<![ \t])[ \t]*(?:#|\/\/|--|%|;|!|\/\*|<!--)[ \t]*(?:<\d{1,3}>[ \t]*){0,4}<\d{1,3}>(?:[ \t]*(?:\*\/|-->))?[ \t]*$/gm,
        "",
      )
    : code;

/** What a chunk says of all that follow it: `knitr::opts_chunk$set(echo = FALSE)`. */
export function defaultsAfter(code: string, defaults: CellDefaults): CellDefaults {
  if (!code.includes("opts_chunk")) return defaults;
  const [, set = ""] = /opts_chunk\$set\(([\s\S]{0,3000}?)\n?\)[ \t]*(?:$|\n)/.exec(code) ?? [];
  const said = new Map(knitrOptions(set.replace(/#[^\n]*/g, "")));
  const read = (name: "echo" | "include") => {
    const value = said.get(name);
    return value === "true" || value === "false" ? value === "true" : defaults[name];
  };
  return { echo: read("echo"), include: read("include") };
}

/** A line that tells Quarto, knitr or nbdev how to show a cell, in a comment of its language: `#| echo: false`. */
const OPTION_LINE = /^[ \t]*(?:#|\/\/|--|%%?|!|\/\*)[ \t]?\|[ \t]?(|.+?(?<![ \t]))(?:[ \t]*\*\/)?[ \t]*$/;
const NAMED = /^([\w.-]+)[ \t]*(?::[ \t]*(.*))?$/;

/** Code without the lines at its top that say how it is shown, and what they say. */
export function withoutOptions(source: string): { options: Map<string, string>; code: string } {
  const lines = source.split("\n");
  const said: string[] = [];
  for (const line of lines) {
    const option = OPTION_LINE.exec(line)?.[1];
    if (option === undefined) break;
    said.push(option);
  }
  return { options: optionsIn(said), code: lines.slice(said.length).join("\n") };
}

function optionsIn(said: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (const line of said) {
    const [, name, value = ""] = NAMED.exec(line) ?? [];
    if (name !== undefined) options.set(name, value.trim());
    else if (/^\s*[\w.-]+\s*=/.test(line))
      for (const [key, each] of knitrOptions(line)) options.set(key, each);
  }
  if (!said.some((line) => /:\s/.test(line) || line.endsWith(":"))) return options;
  for (const [name, value] of Object.entries(asRecord(yamlIn(said.join("\n"))))) {
    const words = typeof value === "boolean" ? String(value) : asText(value);
    if (words !== undefined) options.set(name, words);
    else options.delete(name);
  }
  return options;
}

function yamlIn(text: string): unknown {
  try {
    return Bun.YAML.parse(text);
  } catch {
    return undefined;
  }
}

const KNITR = /([\w.-]{1,100})\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:[^,"'()]|\([^()]*\))*)/g;

/** The options in the head of a chunk: `echo=FALSE, fig.cap="A plot"`. What is computed stays as it is written. */
const knitrOptions = (head: string): [string, string][] =>
  [...head.slice(0, HEAD_CHARACTERS_MAX).matchAll(KNITR)].map(([, name = "", value = ""]) => {
    const written = value.trim();
    const isText = /^["']/.test(written);
    if (isText) return [name, written.slice(1, -1).replace(/\\(["'\\])/g, "$1")];
    if (/^(?:F|FALSE)$/.test(written)) return [name, "false"];
    return [name, /^(?:T|TRUE)$/.test(written) ? "true" : COMPUTED + written];
  });

const HEAD_CHARACTERS_MAX = 5_000;
/** What stands before a value that only R could tell. */
const COMPUTED = "=";
const isComputedOption = (value: string) => value.startsWith(COMPUTED);
