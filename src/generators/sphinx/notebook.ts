import { asList, asRecord, asText, jsonIn } from "../../text/json.ts";
import { codeFence } from "../../text/write-markdown.ts";

/** A notebook's Markdown and code with its text outputs. Pictures are left out. */
export function notebookToMarkdown(text: string): { markdown: string; fault?: string } {
  if (text.length > CHARACTERS_MAX) return { markdown: "", fault: "is too long for a notebook that is read" };
  const notebook = asRecord(jsonIn(text));
  if (!Array.isArray(notebook["cells"])) return { markdown: "", fault: "is no notebook that can be read" };
  const metadata = asRecord(notebook["metadata"]);
  const language =
    asText(asRecord(metadata["language_info"])["name"]) ??
    asText(asRecord(metadata["kernelspec"])["language"]) ??
    "python";
  const blocks = asList(notebook["cells"]).flatMap((each) => {
    const cell = asRecord(each);
    const source = textOf(cell["source"]);
    if (cell["cell_type"] === "markdown") return [source];
    if (cell["cell_type"] !== "code" || source.trim() === "") return [];
    return [codeFence(source.replace(/\s+$/, ""), language), ...asList(cell["outputs"]).flatMap(outputOf)];
  });
  return { markdown: blocks.join("\n\n") };
}

const CHARACTERS_MAX = 20_000_000;
const OUTPUT_CHARACTERS_MAX = 20_000;

function outputOf(value: unknown): string[] {
  const output = asRecord(value);
  const text = textOf(output["text"] ?? asRecord(output["data"])["text/plain"]).trimEnd();
  return text === "" ? [] : [codeFence(text.slice(0, OUTPUT_CHARACTERS_MAX))];
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map((line) => asText(line) ?? "").join("") : (asText(value) ?? "");
