import { escapeLabel } from "@docent/kernel/text/write-markdown";
import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  newElement,
  newText,
  readHtml,
  setAttribute,
  textOf,
  textValue,
} from "../../markdown/html/html.ts";
import { encodePath } from "../../page/page-path.ts";
import type { DocsSite, GeneratorAdapter, HeldFile, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  type CalloutMark,
  calloutOf,
  keepPlaces,
  parseRendered,
  placeTree,
  rewriteAnchors,
  takeTasks,
  writeBody,
} from "../wiki-pages/wiki-pages.ts";
import { type ExportFile, type ExportNode, readExport } from "./export.ts";

/** BookStack, by its portable ZIP: `data.json`, and the folder `files`. Several of them are one site. */
export const bookstack: GeneratorAdapter = {
  name: "BookStack",
  roots(tree) {
    const own = rootsIn(SITE_FILES.bookstack, tree.files);
    return own.length === 0 ? [] : [commonFolder(own)];
  },
  open: openExports,
};

function commonFolder(folders: readonly string[]): string {
  const [first = "", ...others] = folders;
  let shared = first;
  while (shared !== "" && !others.every((each) => each === shared || each.startsWith(`${shared}/`)))
    shared = folderOf(shared);
  return shared;
}

const UNSAID = {
  question:
    "Whom are these pages for? An export of BookStack holds all that the person who made it may read.",
  guess: "every reader of the site may read all of them",
};

/** A node with its address. */
interface PlacedNode extends ExportNode {
  path: string;
  location: string;
}

async function openExports(tree: DocsTree, root: string): Promise<DocsSite | undefined> {
  const nodes: ExportNode[] = [];
  const files: ExportFile[] = [];
  for (const folder of rootsIn(SITE_FILES.bookstack, tree.below(root))) {
    const file = joinLocation(folder, "data.json");
    const found = readExport((await tree.text(file)) ?? "", file);
    nodes.push(...(found?.nodes ?? []));
    files.push(...(found?.files ?? []));
  }
  if (nodes.length === 0) return undefined;
  const tops = nodes.filter(({ parent }) => parent === undefined);
  const home = tops.length === 1 && nodes.length > 1 ? tops[0]?.id : undefined;
  const { paths, menu } = placeTree(nodes, home);
  const nameIt = createLocations();
  const placed = nodes.map(
    (node): PlacedNode => ({ ...node, path: paths.get(node.id) ?? "", location: nameIt(node) }),
  );
  const byLocation = new Map(placed.map((node) => [node.location, node]));
  const byId = new Map(placed.map((node) => [node.id, node]));
  const attached = files.flatMap((file) => attachedFile(tree, file, byId));
  const addresses = new Map(attached.map(({ held, path }) => [held.location, path]));
  const anchors = new Set(
    placed.flatMap(({ html, markdown }) =>
      [...`${html}${markdown}`.matchAll(/#(bkmrk-[\w%-]{1,200})/g)].map(([, id = ""]) => id),
    ),
  );
  const names = { byId, anchors, fileOf: createFileFinder(files, byId) };
  return {
    generator: "BookStack",
    root,
    pages: placed.map(({ location, path }) => ({ location, path })),
    leftOut: [],
    menu,
    redirects: [],
    unknowns: [UNSAID],
    held: attached.map(({ held }) => held),
    documentPath: (location) => addresses.get(location),
    async read({ location }) {
      const node = byLocation.get(location);
      if (node === undefined) throw new Error(`${location} is no page of this export`);
      return readPage(names, placed, node);
    },
    async plain({ location }) {
      const node = byLocation.get(location);
      if (node === undefined) return undefined;
      const { title, html, markdown } = node;
      return html === "" ? { text: markdown, format: "txt", title } : { text: html, format: "html", title };
    },
  };
}

function createLocations(): (node: ExportNode) => string {
  const taken = new Set<string>();
  return ({ file, title, id }) => {
    const plain = `${file}#${title}`;
    const location = taken.has(plain) ? `${plain} (${id.slice(file.length + 1)})` : plain;
    taken.add(location);
    return location;
  };
}

/** An attachment is called as people see it, and not by the letters that the export gives it. */
function attachedFile(
  tree: DocsTree,
  { node, kind, file, name }: ExportFile,
  byId: ReadonlyMap<string, PlacedNode>,
): { held: HeldFile; path: string }[] {
  const owner = byId.get(node);
  const place =
    owner === undefined || file === undefined
      ? undefined
      : joinLocation(folderOf(owner.file), `files/${file}`);
  if (owner === undefined || place === undefined || kind !== "attachment" || !tree.has(place)) return [];
  const path = joinLocation(owner.path, shownName(name, file ?? ""));
  const read = async () => {
    const content = await tree.bytes(place);
    if (content === undefined) throw tree.unread().get(place) ?? new Error(`${place} cannot be read`);
    return content;
  };
  return [
    { path, held: { location: `${owner.location}/${shownName(name, file ?? "")}`, sizeBytes: 0, read } },
  ];
}

/** A name with the ending that says what the file is. */
function shownName(name: string, file: string): string {
  const plain = name.replace(/[/\\]/g, "-");
  const ending = /\.\w{1,8}$/.exec(file)?.[0] ?? "";
  return plain.toLowerCase().endsWith(ending.toLowerCase()) ? plain : plain + ending;
}

/** Finds where a reference such as `[[bsexport:image:22]]` leads. */
interface ExportNames {
  byId: ReadonlyMap<string, PlacedNode>;
  /** The places that links lead to. */
  anchors: ReadonlySet<string>;
  fileOf(dataFile: string, kind: string, name: string): string | undefined;
}

function createFileFinder(
  files: readonly ExportFile[],
  byId: ReadonlyMap<string, PlacedNode>,
): ExportNames["fileOf"] {
  const places = new Map<string, string>();
  for (const { node, kind, names, name, file, link } of files) {
    const owner = byId.get(node);
    if (owner === undefined) continue;
    const image = `/${encodePath(joinLocation(folderOf(owner.file), `files/${file ?? ""}`))}`;
    const attached = link ?? `/${encodePath(joinLocation(owner.path, shownName(name, file ?? "")))}`;
    for (const each of names)
      places.set(`${owner.file} ${kind} ${each}`, kind === "image" ? image : attached);
  }
  return (dataFile, kind, name) => places.get(`${dataFile} ${kind} ${name}`);
}

function readPage(names: ExportNames, nodes: readonly PlacedNode[], node: PlacedNode): ReadDocsPage {
  const words = node.markdown.trim() === "" ? writeHtml(names, node) : writeMarkdown(names, node);
  const below = node.kind === "page" ? "" : listBelow(nodes, node);
  return {
    data: { title: node.title, ...(node.tags.length > 0 ? { tags: node.tags } : {}) },
    markdown: [words, below].filter((part) => part !== "").join("\n\n"),
    faults: [],
  };
}

/** A book and a chapter show what is in them, below what they say of themselves. */
const listBelow = (nodes: readonly PlacedNode[], { id }: PlacedNode) =>
  nodes
    .filter(({ parent }) => parent === id)
    .map(({ title, path }) => `- [${escapeLabel(title)}](/${encodePath(path)})`)
    .join("\n");

const REFERENCE = /^\[\[bsexport:([a-z]{1,20}):([^\][]{1,300})\]\]/;
const REFERENCES = /\[\[bsexport:[a-z]{1,20}:[^\][]{1,300}\]\](?:#[\w%-]{1,300})?/g;

/** The body of a page in HTML. */
function writeHtml(names: ExportNames, node: PlacedNode): string {
  const root = parseRendered(`<!doctype html><body>${node.html}`);
  const body = root === undefined ? undefined : elementsIn(root, ({ tagName }) => tagName === "body")[0];
  if (body === undefined) return readHtml(node.html).markdown;
  withoutEditor(body);
  for (const image of elementsIn(body, ({ tagName }) => tagName === "img"))
    setAttribute(image, "src", hrefOf(names, node, attribute(image, "src") ?? "") ?? "");
  rewriteAnchors(body, (link) => hrefOf(names, node, attribute(link, "href") ?? ""));
  // Every paragraph has an id; a page would be full of places that no link leads to.
  keepPlaces(body, (element) => names.anchors.has(attribute(element, "id") ?? ""));
  return writeBody(body);
}

/** The body of a page that was written in Markdown. */
const writeMarkdown = (names: ExportNames, node: PlacedNode): string =>
  node.markdown.trim().replace(REFERENCES, (reference) => hrefOf(names, node, reference) ?? "");

/** Where a link leads; undefined where it is to something that the export does not hold. */
function hrefOf({ byId, fileOf }: ExportNames, { file }: PlacedNode, href: string): string | undefined {
  const [whole, kind = "", name = ""] = REFERENCE.exec(href) ?? [];
  if (whole === undefined) return href === "" ? undefined : href;
  if (kind === "image" || kind === "attachment") return fileOf(file, kind, name);
  const target = byId.get(`${file}#${kind}:${name}`);
  return target === undefined ? undefined : `/${encodePath(target.path)}${/#.*$/s.exec(href)?.[0] ?? ""}`;
}

/** Writes what the editors of BookStack make, besides plain HTML, as plain HTML. */
export function withoutEditor(body: HtmlElement): void {
  editElements(body, (element) => (isImageLink(element) ? element.childNodes : undefined));
  editElements(body, (element) => calloutIn(element) ?? shownCodeIn(element));
  takeTasks(body);
}

const CALLOUTS: ReadonlyMap<string, CalloutMark> = new Map([
  ["info", "NOTE"],
  ["success", "TIP"],
  ["warning", "WARNING"],
  ["danger", "CAUTION"],
]);

function calloutIn(element: HtmlElement) {
  const classes = classesOf(element);
  if (!classes.includes("callout")) return undefined;
  const mark = classes.flatMap((name) => CALLOUTS.get(name) ?? [])[0] ?? "NOTE";
  return calloutOf(element, { mark, body: element.childNodes });
}

/**
 * Code as the editor before 22.02 showed it, which pages took along when it was copied: line by line, and whole in a field
 * that is not shown.
 */
function shownCodeIn(element: HtmlElement) {
  if (!classesOf(element).includes("CodeMirrorContainer")) return undefined;
  const [field] = elementsIn(element, ({ tagName }) => tagName === "textarea");
  const code = field?.childNodes.map((node) => textValue(node) ?? "").join("") ?? "";
  const language = attribute(element, "data-lang") ?? "";
  return [newElement("pre", [newElement("code", [newText(code)], { class: `language-${language}` })])];
}

/** An image that leads to itself, larger. */
function isImageLink(element: HtmlElement): boolean {
  if (element.tagName !== "a" || textOf(element).trim() !== "") return false;
  const isUpload = /\/uploads\/images\/|^\[\[bsexport:image:/.test(attribute(element, "href") ?? "");
  return isUpload && elementsIn(element, ({ tagName }) => tagName === "img").length === 1;
}
