import { writeTab as tabBlocks } from "../../../markdown/callouts.ts";
import { codeFence } from "../../../text/write-markdown.ts";
import { writeInclude } from "./files.ts";
import type { Shortcode } from "./scan.ts";
import { argumentOf, type ShortcodeContext, type WriteShortcode, withoutOuterLines } from "./writing.ts";

/** The label of a tab with its content. Docsy's hold code, unless they say that they hold text. */
export const writeTab: WriteShortcode = async (shortcode, context) => {
  const pane = context.parents.at(-1);
  const label =
    argumentOf(shortcode, ["name", "header", "title", "label", "tabname"], 0) ?? labelFrom(pane, shortcode);
  const included = argumentOf(shortcode, ["include"]);
  if (included !== undefined) {
    const inner = await writeInclude({ ...shortcode, positional: [included] }, context);
    return { block: tab(label, "inline" in inner ? inner.inline : inner.block, context) };
  }
  const language = argumentOf(shortcode, ["lang", "codelang"]) ?? languageOf(pane, label);
  const isCode = language !== undefined || (pane?.name === "tabpane" && !isText(shortcode, pane));
  const text = isCode ? await context.code(shortcode) : await context.inner(shortcode);
  return { block: tab(label, isCode && text.trim() !== "" ? fence(text, language ?? "") : text, context) };
};

const tab = (label: string, body: string, { isNested }: ShortcodeContext) =>
  tabBlocks(label.replace(/\*/g, "").trim(), [withoutOuterLines(body)], { isNested })
    .filter((part) => part !== "")
    .join("\n\n");

const isText = (shortcode: Shortcode, pane: Shortcode) =>
  shortcode.isMarkdown ||
  argumentOf(shortcode, ["text"]) === "true" ||
  (argumentOf(pane, ["text"]) === "true" && argumentOf(shortcode, ["text"]) !== "false");

/** The language that the pane gives to all its tabs. */
function languageOf(pane: Shortcode | undefined, label: string): string | undefined {
  if (pane?.name !== "tabpane" || argumentOf(pane, ["text"]) === "true") return undefined;
  if (argumentOf(pane, ["langequalsheader"]) === "true") return label.toLowerCase();
  return argumentOf(pane, ["lang"]);
}

/** Hextra listed the labels on the tabs' container before. */
function labelFrom(pane: Shortcode | undefined, shortcode: Shortcode): string {
  const labels = pane === undefined ? "" : (argumentOf(pane, ["items"]) ?? "");
  const tabs = (pane?.inner ?? []).filter((piece) => piece.kind === "shortcode");
  return labels.split(",")[tabs.indexOf(shortcode)]?.trim() ?? "";
}

const fence = (text: string, language: string) =>
  codeFence(text.replace(/^(?:[ \t]*\n)+/, "").trimEnd(), language);

/** Text as code of a language. */
export function writeFence(shortcode: Shortcode, text: string, language?: string): string {
  return fence(text, language ?? argumentOf(shortcode, ["lang", "language"]) ?? "");
}
