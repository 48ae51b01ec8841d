import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { encodePath } from "../../page/page-path.ts";
import type { DocsSite, HeldFile, LeftOut, Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import { placeTree, type TreeNode } from "../wiki-pages/wiki-pages.ts";
import { type DocumentNames, wordsOfDocument, writeDocument } from "./prosemirror.ts";

interface ExportedDocument extends TreeNode {
  /** What stands at the end of its address. */
  urlId: string;
  data: unknown;
  file: string;
}

interface ExportedFile {
  id: string;
  name: string;
  /** Where it lies in the export. */
  place: string;
}

interface Collection {
  name: string;
  isPrivate: boolean;
  file: string;
  documents: ExportedDocument[];
  drafts: number;
  files: ExportedFile[];
}

const DOCUMENTS_MAX = 200_000;
const DEPTH_MAX = 50;

/** The files of a JSON export: `metadata.json`, and one for each collection. */
export async function openJsonExport(tree: DocsTree, root: string): Promise<DocsSite | undefined> {
  const metadata = asRecord(jsonIn((await tree.text(joinLocation(root, "metadata.json"))) ?? ""));
  if (typeof metadata["exportVersion"] !== "number") return undefined;
  const collections: Collection[] = [];
  for (const file of tree.below(root)) {
    if (folderOf(file) !== root || !file.endsWith(".json")) continue;
    const found = readCollection(asRecord(jsonIn((await tree.text(file)) ?? "")), file, root);
    if (found !== undefined) collections.push(found);
  }
  return collections.length === 0 ? undefined : siteOf(tree, root, collections);
}

function readCollection(
  json: Readonly<Record<string, unknown>>,
  file: string,
  root: string,
): Collection | undefined {
  const about = asRecord(json["collection"]);
  const name = asText(about["name"]);
  if (name === undefined) return undefined;
  const given = asRecord(json["documents"]);
  const collection: Collection = {
    name,
    // Nobody may see it but those who were added.
    isPrivate: about["permission"] === null,
    file,
    documents: [],
    drafts: 0,
    files: Object.values(asRecord(json["attachments"])).flatMap((each) => fileOf(asRecord(each), root)),
  };
  const top = `collection ${file}`;
  const said = asRecord(about["data"]);
  collection.documents.push({
    id: top,
    title: name,
    parent: undefined,
    isPage: asList(said["content"]).map(asRecord).some(isSaid),
    urlId: asText(about["urlId"]) ?? "",
    data: said,
    file,
  });
  const seen = new Set<string>();
  const add = (nodes: unknown, parent: string, depth: number) => {
    for (const node of asList(nodes).map(asRecord)) {
      const id = asText(node["id"]) ?? "";
      const document = asRecord(given[id]);
      if (seen.has(id) || seen.size >= DOCUMENTS_MAX || depth > DEPTH_MAX) continue;
      seen.add(id);
      const isDraft = document["publishedAt"] === null;
      if (isDraft) collection.drafts += 1;
      const title = (asText(document["title"]) ?? asText(node["title"]) ?? "").trim() || "Untitled";
      const isPage = !isDraft && document["data"] !== undefined;
      collection.documents.push({
        id,
        title,
        parent,
        isPage,
        urlId: asText(document["urlId"]) ?? "",
        data: document["data"],
        file,
      });
      add(node["children"], id, depth + 1);
    }
  };
  add(about["documentStructure"], top, 0);
  return collection;
}

/** The editor keeps an empty paragraph where nothing was written. */
const isSaid = (node: Readonly<Record<string, unknown>>) =>
  node["type"] !== "paragraph" || asList(node["content"]).length > 0;

function fileOf(json: Readonly<Record<string, unknown>>, root: string): ExportedFile[] {
  const id = asText(json["id"]) ?? "";
  const key = asText(json["key"]) ?? "";
  const isInside = key !== "" && !key.split("/").includes("..") && !key.startsWith("/");
  const name = (asText(json["name"]) ?? key.slice(key.lastIndexOf("/") + 1)).replace(/[/\\]/g, "-");
  return id === "" || !isInside ? [] : [{ id, name, place: joinLocation(root, key) }];
}

const PRIVATE = "is not for everyone: only people who were added may see its collection";

function siteOf(tree: DocsTree, root: string, collections: readonly Collection[]): DocsSite {
  // Who exports one collection has chosen it; an export of all of them holds those of a few people too.
  const isHidden = ({ isPrivate }: Collection) => isPrivate && collections.length > 1;
  const open = collections.filter((each) => !isHidden(each));
  const single = open.length === 1 ? open[0]?.documents[0]?.id : undefined;
  const documents = open.flatMap((each) => each.documents);
  const { paths, menu } = placeTree(documents, single);
  const nameIt = createLocations();
  const pages = documents.flatMap((each) =>
    each.isPage ? [{ ...each, path: paths.get(each.id) ?? "", location: nameIt(each) }] : [],
  );
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const hrefs = new Map(
    pages.flatMap(({ id, urlId, path }) => [id, urlId].map((key) => [key, `/${encodePath(path)}`])),
  );
  const files = new Map(open.flatMap((each) => each.files).map((file) => [file.id, file]));
  const held = [...files.values()]
    .filter(({ place }) => tree.has(place))
    .map((file) => heldFile(tree, root, file));
  const names = namesOf(tree, files, hrefs);
  const leftOut = collections.flatMap((each): LeftOut[] => [
    ...(isHidden(each) ? [{ location: each.file, detail: PRIVATE, isRestricted: true }] : []),
    ...(each.drafts > 0
      ? [{ location: each.file, detail: `holds documents that are drafts: ${each.drafts} left out` }]
      : []),
  ]);
  return {
    generator: "Outline",
    root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: menu.filter(({ path, children }) => path !== undefined || children.length > 0),
    redirects: [],
    unknowns: collections.filter((each) => each.isPrivate && !isHidden(each)).map(askedOf),
    holdsRestricted: open.length < collections.length,
    held,
    documentPath: (location) =>
      held.some((file) => file.location === location)
        ? location.slice(root === "" ? 0 : root.length + 1)
        : undefined,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no document of this export`);
      return { data: { title: page.title }, markdown: writeDocument(names, page.data), faults: [] };
    },
    async plain({ location }) {
      const page = byLocation.get(location);
      return page && { text: wordsOfDocument(page.data), format: "txt", title: page.title };
    },
  };
}

const askedOf = ({ name }: Collection): Unknown => ({
  question: `Who may read the collection "${name}"? In Outline only people who were added may.`,
  guess: "every reader of the site may read it",
});

function createLocations(): (document: ExportedDocument) => string {
  const taken = new Set<string>();
  return ({ file, title, urlId }) => {
    const plain = `${file}#${title}`;
    const location = taken.has(plain) ? `${plain} (${urlId})` : plain;
    taken.add(location);
    return location;
  };
}

/** A file under the name that people gave it, below its number. */
const heldFile = (tree: DocsTree, root: string, { id, name, place }: ExportedFile): HeldFile => ({
  location: joinLocation(root, `attachments/${id}/${name}`),
  sizeBytes: 0,
  async read() {
    const content = await tree.bytes(place);
    if (content === undefined) throw tree.unread().get(place) ?? new Error(`${place} cannot be read`);
    return content;
  },
});

const ATTACHMENT = /\/api\/attachments\.redirect\?id=([\w-]{1,60})/;

function namesOf(
  tree: DocsTree,
  files: ReadonlyMap<string, ExportedFile>,
  hrefs: ReadonlyMap<string, string>,
): DocumentNames {
  const fileHref = (address: string) => {
    const file = files.get(ATTACHMENT.exec(address)?.[1] ?? "");
    return file === undefined || !tree.has(file.place)
      ? undefined
      : `/${encodePath(`attachments/${file.id}/${file.name}`)}`;
  };
  return {
    documentHref: (id) => hrefs.get(id),
    imageSource: (src) => fileHref(src) ?? (/^https?:/i.test(src) && !ATTACHMENT.test(src) ? src : undefined),
    hrefOf(href) {
      if (ATTACHMENT.test(href)) return fileHref(href);
      const [, key] =
        /(?:^|\/)(?:doc|collection)\/(?:[^/?#]*-)?([\w]{10,15}|[0-9a-f-]{36})(?:[?#]|$)/.exec(href) ?? [];
      const found = key === undefined ? undefined : hrefs.get(key);
      if (found !== undefined) return found;
      return /^(?:[a-z][a-z0-9+.-]*:|#)/i.test(href) ? href : undefined;
    },
  };
}
