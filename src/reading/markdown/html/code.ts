import { codeFence } from "@docent/kernel/text/write-markdown";
import { attribute, classesOf, type HtmlElement, parentOf, UNSPOKEN, walkNodes } from "./dom.ts";
import type { Survey } from "./survey.ts";

/** Elements that are one line of code each, whether or not a line break follows. */
const LINES = new Set([
  "line",
  "token-line",
  "code-line",
  "ec-line",
  "view-line",
  "hljs-ln-line",
  "cl",
  "highlight-line",
]);
/** How far up to look for the language: line numbers wrap code in a table. */
const MAX_LANGUAGE_ANCESTORS = 7;

/** Writes a `<pre>` as a fenced block, character by character. */
export function writeCode(pre: HtmlElement, survey: Survey, root: HtmlElement): string {
  const text = codeText(pre, survey)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  return text === "" ? "" : codeFence(text, codeLanguage(pre, root));
}

/** The text of a code block, with lines as displayed. */
function codeText(pre: HtmlElement, survey: Survey): string {
  const parts: string[] = [];
  const starts: number[] = [];
  let lineEnded = false;
  const put = (text: string) => {
    if (text === "") return;
    if (lineEnded && !/^\r?\n/.test(text)) parts.push("\n");
    lineEnded = false;
    parts.push(text);
  };
  walkNodes(pre.childNodes, {
    text: put,
    enter(element) {
      if (UNSPOKEN.has(element.tagName) || survey.isNoise(element)) return false;
      if (element.tagName === "br") put("\n");
      if (!isLine(element)) return true;
      put(lineEnded ? "\n" : "");
      starts.push(parts.length);
      return true;
    },
    leave(element) {
      if (!isLine(element)) return;
      const isEmpty = parts.length === starts.pop();
      lineEnded = isEmpty || !parts.at(-1)?.endsWith("\n");
    },
  });
  return parts.join("").replaceAll("\u00a0", " ").replaceAll("\r\n", "\n");
}

function isLine(element: HtmlElement): boolean {
  return element.tagName === "tr" || classesOf(element).some((name) => LINES.has(name));
}

/** The language given on a code block or its wrappers; "" where there is none. */
function codeLanguage(pre: HtmlElement, root: HtmlElement): string {
  const inner = pre.childNodes.find(
    (node): node is HtmlElement => "tagName" in node && node.tagName === "code",
  );
  const places: HtmlElement[] = inner === undefined ? [pre] : [inner, pre];
  let outer = parentOf(pre);
  for (let steps = 0; outer && outer !== root && steps < MAX_LANGUAGE_ANCESTORS; steps++) {
    places.push(outer);
    outer = parentOf(outer);
  }
  for (const place of places) {
    const language = languageOf(place, place === pre || place === inner);
    if (language !== undefined) return NAMES.get(language) ?? language;
  }
  return "";
}

function languageOf(element: HtmlElement, isCode: boolean): string | undefined {
  const classes = classesOf(element);
  const brush = /brush:\s{0,5}([\w+#-]{1,30})/.exec(attribute(element, "class") ?? "")?.[1];
  if (brush !== undefined) return valid(brush);
  for (const name of classes) {
    const found =
      /^(?:language|lang|highlight-source|highlight-text|highlight|code|sourceCode)-([\w+#.-]{1,40})$/.exec(
        name,
      )?.[1];
    const language =
      found === undefined || found === "wrapper" || found === "block" ? undefined : valid(found);
    if (language !== undefined) return language;
  }
  for (const name of ["data-lang", "data-language", "language", ...(isCode ? ["lang"] : [])]) {
    const language = valid(attribute(element, name) ?? "");
    if (language !== undefined && !(name === "lang" && language === "en")) return language;
  }
  const marked = classes.includes("hljs") || classes.includes("sourceCode") || classes.includes("src");
  const beside = marked ? classes.find((name) => !BESIDE.has(name)) : undefined;
  if (beside !== undefined) return valid(beside.replace(/^src-/, ""));
  return isCode && classes.includes("rust") ? "rust" : undefined;
}

const BESIDE = new Set([
  "hljs",
  "sourceCode",
  "src",
  "highlight",
  "numberSource",
  "literal-block",
  "notranslate",
]);
/** Names that mean an unknown language, or that describe the frame and not the code. */
const NO_LANGUAGE = new Set(
  "default none text plain plaintext notranslate txt output undefined nohighlight wrapper title".split(" "),
);
const NAMES = new Map([
  ["python3", "python"],
  ["pycon3", "pycon"],
  ["c++", "cpp"],
  ["ipython3", "python"],
]);

function valid(name: string): string | undefined {
  const language = name.trim().toLowerCase();
  return /^[a-z][\w+#.-]{0,39}$/.test(language) && !NO_LANGUAGE.has(language) ? language : undefined;
}
