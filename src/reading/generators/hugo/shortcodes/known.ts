import { codeFence, escapeDestination, escapeLabel } from "@docent/kernel/text/write-markdown";
import { writeTab as tabBlocks } from "../../../markdown/callouts.ts";
import { calloutKind, writeCallout } from "../../writing/writing.ts";
import { AS_GIVEN } from "../markup.ts";
import { pageNamed, paramOf } from "../site.ts";
import { writeCodeFile, writeInclude } from "./files.ts";
import { KUBERNETES } from "./kubernetes.ts";
import type { Shortcode } from "./scan.ts";
import {
  argumentOf,
  labelled,
  NOTHING,
  type ShortcodeContext,
  type WriteShortcode,
  withoutOuterLines,
} from "./writing.ts";

/** A note whose name, type or color says of which kind it is. */
const writeNote: WriteShortcode = async (shortcode, context) => {
  const { name, positional } = shortcode;
  const said = argumentOf(shortcode, ["type", "kind", "color", "style", "level", "severity", "context"]);
  const [first, second] = positional;
  const named = calloutKind(name);
  const byPosition = calloutKind(first ?? "");
  const kind = calloutKind(said ?? "") ?? byPosition ?? named ?? "note";
  const title =
    argumentOf(shortcode, ["title", "header", "heading"]) ?? (byPosition === undefined ? first : second);
  const content = argumentOf(shortcode, ["content", "text"]) ?? "";
  const body = await context.inner(shortcode);
  return { block: writeCallout({ kind, title, body: body.trim() === "" ? content : body }, context) };
};

/** A shortcode that only arranges what is inside of it. */
const writeInner: WriteShortcode = async (shortcode, context) => {
  const text = await context.inner(shortcode);
  return text.includes("\n") ? { block: withoutOuterLines(text) } : { inline: text };
};

const writeTitled: WriteShortcode = async (shortcode, context) => {
  const title = argumentOf(shortcode, ["title", "summary", "header", "heading", "name"], 0) ?? "";
  const subtitle = argumentOf(shortcode, ["subtitle", "caption"]) ?? "";
  const body = await context.inner(shortcode);
  return {
    block: labelled(title, [subtitle, withoutOuterLines(body)].filter((part) => part !== "").join("\n\n")),
  };
};

const writeCard: WriteShortcode = async (shortcode, context) => {
  const title = argumentOf(shortcode, ["title", "header", "name"]) ?? "";
  const href = argumentOf(shortcode, ["link", "url", "href"]);
  const label =
    href === undefined ? `**${title}**` : `[${escapeLabel(title)}](${escapeDestination(AS_GIVEN + href)})`;
  const words = [
    argumentOf(shortcode, ["subtitle", "description", "footer"]),
    await context.inner(shortcode),
  ];
  const rest = words.map((each) => each?.trim() ?? "").filter((each) => each !== "");
  const isCode = argumentOf(shortcode, ["code"]) === "true";
  const body = isCode ? [writeFence(shortcode, rest.join("\n"))] : rest;
  return { block: [title === "" ? "" : label, ...body].filter((part) => part !== "").join("\n\n") };
};

const writePicture: WriteShortcode = async (shortcode, context) => {
  const source = argumentOf(shortcode, ["src", "file", "path", "image", "url"], 0);
  const caption = [
    argumentOf(shortcode, ["title"]),
    argumentOf(shortcode, ["caption"]),
    (await context.inner(shortcode)).trim(),
  ].filter((part) => part !== undefined && part !== "");
  const alt = argumentOf(shortcode, ["alt"]) ?? "";
  const picture = source === undefined ? "" : `![${escapeLabel(alt)}](${escapeDestination(source)})`;
  const parts = [picture, ...caption].filter((part) => part !== "");
  return shortcode.positional.length > 0 && caption.length === 0
    ? { inline: picture }
    : { block: parts.join("\n\n") };
};

const writeReference: WriteShortcode = (shortcode, { site, page, faults }) => {
  const written = argumentOf(shortcode, ["path"], 0) ?? "";
  const [name = "", anchor] = written.split("#", 2);
  const rest = anchor === undefined ? "" : `#${anchor}`;
  const target = name === "" ? page : pageNamed(site, page, name);
  const path = target === undefined ? undefined : site.paths.get(target);
  if (path !== undefined) return { inline: name === "" ? rest : `/${encodeURI(path)}${rest}` };
  faults.add(`no page is meant by ${shortcode.name} "${written.slice(0, 200)}"`);
  return { inline: `/${encodeURI(name.replace(/^\/+/, ""))}${rest}` };
};

const writeParam: WriteShortcode = (shortcode, { page, faults }) => {
  const name = argumentOf(shortcode, ["name"], 0) ?? "";
  const value = paramOf(page, name);
  if (value === undefined) faults.add(`no parameter "${name.slice(0, 60)}" is set`);
  const filled = (value ?? "").replace(
    /\{(\d)\}/g,
    (whole, at: string) => shortcode.positional[Number(at)] ?? whole,
  );
  return { inline: filled.replace(/<[^>]*>/g, "").trim() };
};

const writeVideo: (address: (id: string) => string) => WriteShortcode = (address) => (shortcode) => {
  const id = argumentOf(shortcode, ["id"], 0);
  const title = argumentOf(shortcode, ["title"]) ?? "Video";
  return id === undefined ? NOTHING : { block: `[${escapeLabel(title)}](${escapeDestination(address(id))})` };
};

const writeButton: WriteShortcode = async (shortcode, context) => {
  const href = argumentOf(shortcode, ["href", "link", "url", "relref", "src", "file"]);
  const inner = (await context.inner(shortcode)).trim();
  const text = inner !== "" ? inner : (argumentOf(shortcode, ["text", "content", "title", "label"], 0) ?? "");
  if (href === undefined || text === "") return { inline: text };
  return { inline: `[${escapeLabel(text)}](${escapeDestination(AS_GIVEN + href)})` };
};

/** Folders and files as a list. */
const writeTreeItem: WriteShortcode = async (shortcode, context) => {
  const name = argumentOf(shortcode, ["name"], 0) ?? "";
  const inner = (await context.inner(shortcode)).split("\n").filter((line) => line.trim() !== "");
  return { block: [`- ${name}`, ...inner.map((line) => `  ${line}`)].join("\n") };
};

/** Text that a site shows under a condition which its configuration sets. */
const writeConditional: WriteShortcode = async (shortcode, context) => {
  const condition = (paramOf(context.page, "buildCondition") ?? "").toLowerCase();
  const include = argumentOf(shortcode, ["include-if"])?.toLowerCase();
  const exclude = argumentOf(shortcode, ["exclude-if"])?.toLowerCase() ?? "";
  if (condition === "") return NOTHING;
  const isShown = include === undefined ? !exclude.includes(condition) : include.includes(condition);
  return isShown ? writeInner(shortcode, context) : NOTHING;
};

/** What draws itself in the reader's browser from a file. */
const writeDrawn: WriteShortcode = (shortcode: Shortcode, { faults }: ShortcodeContext) => {
  const source = argumentOf(shortcode, ["src", "file", "url"], 0) ?? "";
  faults.add(`what "${shortcode.name}" draws of ${source.slice(0, 200)} is not read`);
  return NOTHING;
};

const nothing: WriteShortcode = () => NOTHING;

const each = (names: string, write: WriteShortcode): [string, WriteShortcode][] =>
  names.split(" ").map((name) => [name, write]);

/** The label of a tab with its content. Docsy's hold code, unless they say that they hold text. */
const writeTab: WriteShortcode = async (shortcode, context) => {
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
function writeFence(shortcode: Shortcode, text: string, language?: string): string {
  return fence(text, language ?? argumentOf(shortcode, ["lang", "language"]) ?? "");
}

/** The shortcodes of Hugo, of the themes for docs, and those that many sites write alike. */
export const KNOWN: ReadonlyMap<string, WriteShortcode> = new Map([
  ...each(
    "note tip info warning caution important danger attention hint notice callout admonition",
    writeNote,
  ),
  ...each("alert pageinfo block-note", writeNote),
  ...each("ref relref", writeReference),
  ...each("param params _param", writeParam),
  ...each("figure img image imgproc picture", writePicture),
  ...each(
    "tabs tabpane codetabs steps cards cardpane columns column blocks/section blocks/lead div",
    writeInner,
  ),
  ...each(
    "filetree/container filetree hextra/feature-grid hextra/hero-container hextra/hero-headline",
    writeInner,
  ),
  ...each("hextra/hero-subtitle hextra/hero-section capture center nav table-wrapper", writeInner),
  ...each("tab codetab", writeTab),
  ...each("highlight", (shortcode, context) => writeHighlight(shortcode, context)),
  ...each("card hextra/feature-card blocks/feature", writeCard),
  ...each("details expand collapse accordion spoiler blocks/cover blocks/tabs blocks/tab step", writeTitled),
  ...each("button btn badge hextra/hero-button hextra/hero-badge link", writeButton),
  ...each("code code_sample codenew codefile code-file", writeCodeFile),
  ...each("include readfile include-file includefile include-md", writeInclude),
  ...each("filetree/folder filetree/file", writeTreeItem),
  ...each("conditional-text", writeConditional),
  ...each(
    "youtube",
    writeVideo((id) => `https://www.youtube.com/watch?v=${id}`),
  ),
  ...each(
    "vimeo",
    writeVideo((id) => `https://vimeo.com/${id}`),
  ),
  ...each("mermaid", async (shortcode, context) => ({
    block: `\`\`\`mermaid\n${withoutOuterLines(await context.code(shortcode))}\n\`\`\``,
  })),
  ...each("comment icon toc children blocks/link-down site-searchbar no-index qr", nothing),
  ...each("swaggerui redoc jupyter pdf asciinema iframe swaggerui-inline", writeDrawn),
  ...KUBERNETES,
]);

const writeHighlight: WriteShortcode = async (shortcode, context) => ({
  block: writeFence(shortcode, await context.code(shortcode), shortcode.positional[0]),
});
