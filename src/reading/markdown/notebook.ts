import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { codeFence } from "@docent/kernel/text/write-markdown";
import { withoutOptions } from "./pandoc/pandoc.ts";

/** A Jupyter notebook as Markdown. */
interface Notebook {
  /** May begin with front matter, as that of a raw cell. Blank where there is a fault. */
  markdown: string;
  /** Completes "<location> …" for its author. */
  fault?: string;
}

const CHARACTERS_MAX = 20_000_000;
/** What a cell has printed says little after its first screens. */
const OUTPUT_CHARACTERS_MAX = 4_000;

/** A notebook's Markdown, its code, and what that has printed. Pictures are left out. Never throws. */
export function notebookToMarkdown(text: string): Notebook {
  if (text.length > CHARACTERS_MAX) return { markdown: "", fault: "is too long for a notebook that is read" };
  const notebook = asRecord(jsonIn(text));
  // Before version 4 of the format, cells were in worksheets.
  const cells = Array.isArray(notebook["cells"])
    ? notebook["cells"]
    : asList(notebook["worksheets"]).flatMap((sheet) => asList(asRecord(sheet)["cells"]));
  if (cells.length === 0 && !Array.isArray(notebook["cells"]))
    return { markdown: "", fault: "is no notebook that can be read" };
  const language = languageOf(asRecord(notebook["metadata"]));
  const blocks = cells.flatMap((cell, index) => blocksOf(asRecord(cell), { language, isFirst: index === 0 }));
  return { markdown: blocks.map((block) => block.trimEnd()).join("\n\n") };
}

type Values = Readonly<Record<string, unknown>>;

function languageOf(metadata: Values): string {
  const name =
    asText(asRecord(metadata["language_info"])["name"]) ??
    asText(asRecord(metadata["kernelspec"])["language"]) ??
    "python";
  return LANGUAGE.test(name) ? name : "";
}

const LANGUAGE = /^[\w+#.-]{1,40}$/;

function blocksOf(cell: Values, { language, isFirst }: { language: string; isFirst: boolean }): string[] {
  const source = textOf(cell["source"] ?? cell["input"]);
  const marks = marksOf(asRecord(cell["metadata"]));
  if (source.trim() === "" || marks.isRemoved) return [];
  switch (cell["cell_type"]) {
    case "markdown":
      return [withoutHeldPictures(source)];
    case "heading":
      return [`${"#".repeat(Math.min(6, Number(cell["level"]) || 1))} ${source}`];
    case "raw":
      return isMarkdown(asRecord(cell["metadata"])) || (isFirst && FRONT_MATTER.test(source)) ? [source] : [];
    case "code":
      return codeOf(source, cell, { language, marks });
    default:
      return [];
  }
}

/** A raw cell is for one program that converts notebooks, unless it says that it is Markdown. */
const isMarkdown = (metadata: Values) =>
  /markdown/.test(asText(metadata["raw_mimetype"]) ?? asText(metadata["format"]) ?? "");

const FRONT_MATTER = /^---[ \t]*\r?\n[\s\S]*\r?\n---\s*$/;

/** What of a cell its author does not publish. */
interface Marks {
  isRemoved: boolean;
  withoutCode: boolean;
  withoutOutput: boolean;
}

/** The tags of Jupyter Book and nbconvert. What is only hidden, a reader can open. */
function marksOf(metadata: Values): Marks {
  const tags = new Set(asList(metadata["tags"]).map((tag) => (asText(tag) ?? "").replaceAll("_", "-")));
  return {
    isRemoved: tags.has("remove-cell") || metadata["nbsphinx"] === "hidden",
    withoutCode: tags.has("remove-input"),
    withoutOutput: tags.has("remove-output"),
  };
}

function codeOf(
  source: string,
  cell: Values,
  { language, marks }: { language: string; marks: Marks },
): string[] {
  const { options, code } = withoutOptions(source);
  if (options.has("hide") || options.get("include") === "false") return [];
  const isShown = !marks.withoutCode && options.get("echo") !== "false" && code.trim() !== "";
  const isPrinted = !marks.withoutOutput && options.get("output") !== "false";
  const fence = codeFence(code.trimEnd(), ownLanguage(cell, code) ?? language);
  return [...(isShown ? [fence] : []), ...(isPrinted ? outputsOf(cell) : [])];
}

/** The language of a cell that is not written in the kernel's. */
function ownLanguage(cell: Values, code: string): string | undefined {
  const named = asText(asRecord(asRecord(cell["metadata"])["vscode"])["languageId"]);
  if (named !== undefined) return LANGUAGE.test(named) ? named : undefined;
  const [, magic] =
    /^%%(bash|sh|html|javascript|js|latex|perl|ruby|R|sql|svg)\b/.exec(code.trimStart()) ?? [];
  return magic?.toLowerCase();
}

function outputsOf(cell: Values): string[] {
  const written: string[] = [];
  let left = OUTPUT_CHARACTERS_MAX;
  for (const output of asList(cell["outputs"])) {
    const { text, isMarkdown } = wordsOf(asRecord(output));
    if (text.trim() === "" || left <= 0) continue;
    const shown = text.length > left ? `${text.slice(0, left)}\n…` : text;
    left -= shown.length;
    written.push(isMarkdown ? withoutHeldPictures(shown) : codeFence(shown));
  }
  return written;
}

/** What an object is called that has no words: `<Figure size 640x480 with 1 Axes>`. */
const NAME_OF_OBJECT = /^<[^<>\n]{1,300}>$/;

function wordsOf(output: Values): { text: string; isMarkdown: boolean } {
  const data = asRecord(output["data"]);
  const markdown = textOf(data["text/markdown"]);
  if (markdown !== "") return { text: markdown, isMarkdown: true };
  const error = [asText(output["ename"]), asText(output["evalue"])].filter(Boolean).join(": ");
  const text = error === "" ? textOf(output["text"] ?? data["text/plain"]) : error;
  const shown = asShown(text.slice(0, OUTPUT_CHARACTERS_MAX * 10)).trimEnd();
  return { text: NAME_OF_OBJECT.test(shown) ? "" : shown, isMarkdown: false };
}

/** Text as a terminal shows it: without colours, and each line as it was written over last. */
const asShown = (text: string) =>
  Bun.stripANSI(text)
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");

const HELD_PICTURE =
  /!\[([^\]\n]{0,1000})\]\(\s{0,9}(?:data|attachment):[^)\s]*(?:[ \t]{1,9}"[^"\n]{0,1000}")?\s{0,9}\)/gi;
const HELD_SOURCE = /\ssrc=(?:"(?:data|attachment):[^"]*"|'(?:data|attachment):[^']*')/gi;

/** Markdown without the pictures that are inside the notebook: their descriptions stay. */
const withoutHeldPictures = (markdown: string) =>
  markdown.replace(HELD_PICTURE, "$1").replace(HELD_SOURCE, "");

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map((line) => asText(line) ?? "").join("") : (asText(value) ?? "");
