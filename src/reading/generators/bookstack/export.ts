import { asList, asNumber, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import type { TreeNode } from "../wiki-pages/wiki-pages.ts";

type Json = Readonly<Record<string, unknown>>;

/** A book, a chapter or a page of an export. */
export interface ExportNode extends TreeNode {
  kind: "book" | "chapter" | "page";
  html: string;
  markdown: string;
  tags: string[];
  /** The `data.json` that it is in. */
  file: string;
}

/** A file of an export, as pages name it: by its number, or by its name in the folder `files`. */
export interface ExportFile {
  node: string;
  kind: "image" | "attachment";
  names: string[];
  /** What people call it. */
  name: string;
  /** Where it is in `files`; undefined for a link. */
  file: string | undefined;
  link: string | undefined;
}

interface Export {
  nodes: ExportNode[];
  files: ExportFile[];
}

const NODES_MAX = 200_000;

/** What `data.json` holds; undefined where BookStack did not write it. */
export function readExport(text: string, file: string): Export | undefined {
  const data = asRecord(jsonIn(text));
  const roots = (["book", "chapter", "page"] as const).flatMap((kind) =>
    isNamed(data[kind]) ? [{ kind, json: asRecord(data[kind]) }] : [],
  );
  const isOfBookstack = asText(asRecord(data["instance"])["id_ciphertext"]) !== undefined;
  const isLikely = isOfBookstack || (asText(data["exported_at"]) !== undefined && roots.length === 1);
  if (!isLikely || roots.length === 0) return undefined;
  const found: Export = { nodes: [], files: [] };
  for (const { kind, json } of roots) addNode(found, { kind, json, parent: undefined, file });
  return found;
}

const isNamed = (value: unknown) => asText(asRecord(value)["name"]) !== undefined;

interface Given {
  kind: ExportNode["kind"];
  json: Json;
  parent: string | undefined;
  file: string;
}

function addNode(found: Export, { kind, json, parent, file }: Given): void {
  if (found.nodes.length >= NODES_MAX) return;
  const id = `${file}#${kind}:${asNumber(json["id"]) ?? `x${found.nodes.length}`}`;
  const html = asText(json[kind === "page" ? "html" : "description_html"]) ?? "";
  const markdown = kind === "page" ? (asText(json["markdown"]) ?? "") : "";
  const title = (asText(json["name"]) ?? "").trim() || "Untitled";
  found.nodes.push({ id, kind, title, parent, isPage: true, html, markdown, tags: tagsOf(json), file });
  for (const image of asList(json["images"])) addFile(found, id, "image", asRecord(image));
  for (const attachment of asList(json["attachments"]))
    addFile(found, id, "attachment", asRecord(attachment));
  for (const inside of inOrder(kind, json)) addNode(found, { ...inside, parent: id, file });
}

/** Chapters and pages of a book stand among each other, by their priority. */
function inOrder(kind: ExportNode["kind"], json: Json): Pick<Given, "kind" | "json">[] {
  if (kind === "page") return [];
  const chapters = asList(kind === "book" ? json["chapters"] : []).map((each) => ({
    kind: "chapter" as const,
    json: asRecord(each),
  }));
  const pages = asList(json["pages"]).map((each) => ({ kind: "page" as const, json: asRecord(each) }));
  const priorityOf = ({ json: each }: { json: Json }) => asNumber(each["priority"]) ?? 0;
  return [...chapters, ...pages].sort((a, b) => priorityOf(a) - priorityOf(b));
}

/** A tag has a name, and often a value. */
const tagsOf = (json: Json): string[] =>
  asList(json["tags"])
    .map((tag) => [asText(asRecord(tag)["name"]), asText(asRecord(tag)["value"])].filter(Boolean).join(": "))
    .filter((tag) => tag !== "");

function addFile(found: Export, node: string, kind: ExportFile["kind"], json: Json): void {
  const file = asText(json["file"]);
  const names = [String(asNumber(json["id"]) ?? ""), file ?? ""].filter((name) => name !== "");
  const isSafe = file === undefined || /^[^/\\]{1,300}$/.test(file);
  if (isSafe)
    found.files.push({
      node,
      kind,
      names,
      name: asText(json["name"]) ?? file ?? "",
      file,
      link: asText(json["link"]),
    });
}
