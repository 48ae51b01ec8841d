import { AppError } from "@docent/kernel/errors";
import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { z } from "zod";
import type {
  ListedPage,
  ServerBounds,
  ServerLeftOut,
  ServerListing,
  ServerMenuEntry,
} from "../connector.ts";
import type { OutlineApi } from "./api.ts";

const COLLECTION = z.object({
  id: z.string(),
  name: z.string(),
  /** "/collection/handbook-2vPwyUOqMz". */
  url: z.string().startsWith("/collection/"),
  description: z.string().nullish(),
  updatedAt: z.string().default(""),
  /** What members have it for who were not invited; null for none. */
  permission: z.string().nullish(),
  /** Versions before 0.56. */
  private: z.boolean().optional(),
});
type Collection = z.infer<typeof COLLECTION>;

const DOCUMENT = z.object({
  id: z.string(),
  title: z.string(),
  /** "/doc/install-hDYep1TPAM". */
  url: z.string().startsWith("/doc/"),
  collectionId: z.string().nullish(),
  parentDocumentId: z.string().nullish(),
  updatedAt: z.string().default(""),
  revision: z.number().default(0),
  publishedAt: z.string().nullish(),
  archivedAt: z.string().nullish(),
  template: z.boolean().nullish(),
});
type Document = z.infer<typeof DOCUMENT>;

/** What a source names: all of the workspace, a collection, or a document with those below it. */
interface Place {
  collection?: string;
  document?: string;
}

const PATH = /^\/(collection|doc)\/([^/]{1,300})/;

export function placeIn(address: URL): Place {
  const [, kind, name] = PATH.exec(address.pathname) ?? [];
  if (kind === undefined || name === undefined) return {};
  return kind === "doc" ? { document: name } : { collection: name };
}

/** What is the same in all addresses of a document or a collection, whatever its title has been: "hDYep1TPAM". */
export const urlIdOf = (url: string) => /([A-Za-z0-9]{10})$/.exec(url.split(/[?#]/, 1)[0] ?? "")?.[1] ?? url;

const COLLECTIONS_MAX = 2_000;

/** Lists collections with what they say of themselves, and their documents. */
export async function listPages(
  api: OutlineApi,
  { url, place }: { url: string; place: Place },
  { pagesMax }: ServerBounds,
): Promise<ServerListing> {
  const all = await api.list("collections.list", COLLECTION, { itemsMax: COLLECTIONS_MAX });
  const root = place.document === undefined ? undefined : await rootOf(api, place.document);
  const named = all.filter(({ id, url: own }) =>
    root === undefined ? urlIdOf(own) === urlIdOf(place.collection ?? "") : id === root.collectionId,
  );
  const isAll = place.collection === undefined && root === undefined;
  if (place.collection !== undefined && named.length === 0) throw missing("collection");
  const collections = isAll ? all.filter((each) => !isPrivate(each)) : named;
  const documents: Document[] = [];
  for (const { id } of collections) {
    const body = { collectionId: id, sort: "createdAt", direction: "ASC" };
    documents.push(...(await api.list("documents.list", DOCUMENT, { body, itemsMax: pagesMax })));
    if (documents.length > pagesMax) break;
  }
  const wanted = root === undefined ? documents : below(root.id, documents);
  const read = wanted.filter((each) => reasonFor(each) === undefined);
  const described = root === undefined ? collections.filter(({ description }) => description?.trim()) : [];
  const addresses = new Map([...described, ...read].map((each) => [each.id, url + each.url]));
  return {
    pages: [
      ...described.map((each) => listedCollection(each, url)),
      ...read.map((each) => listedDocument(each, url)),
    ],
    leftOut: [
      ...(isAll ? all.filter(isPrivate).map((each) => leftOutCollection(each, url)) : []),
      ...wanted.flatMap((each) => leftOutDocument(each, url)),
    ],
    menu: await menuOf(api, { collections, addresses, root: root?.id }),
    redirects: [],
  };
}

const isPrivate = ({ permission, private: isHidden }: Collection) => permission === null || isHidden === true;

async function rootOf(api: OutlineApi, name: string): Promise<Document> {
  return api.ask("documents.info", { id: name }, DOCUMENT).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? missing("document") : error;
  });
}

const missing = (what: string) =>
  new AppError("not_found", `The workspace has no such ${what}, or not for whoever signed in.`, {
    hint: "Look at the address in a browser, and at what the owner of the API key may see.",
  });

/** A document and all that lie below it. */
function below(root: string, documents: readonly Document[]): Document[] {
  const parents = new Map(documents.map(({ id, parentDocumentId }) => [id, parentDocumentId ?? undefined]));
  return documents.filter(({ id }) => {
    const way = new Set<string>();
    let at: string | undefined = id;
    for (; at !== undefined && at !== root && !way.has(at); at = parents.get(at)) way.add(at);
    return at === root;
  });
}

function reasonFor({ publishedAt, archivedAt, template }: Document): string | undefined {
  if (template === true) return "is a template";
  if (archivedAt) return "is archived";
  return publishedAt === null ? "is a draft" : undefined;
}

const leftOutDocument = (document: Document, url: string): ServerLeftOut[] => {
  const detail = reasonFor(document);
  return detail === undefined ? [] : [{ address: url + document.url, detail }];
};

const leftOutCollection = ({ url: own }: Collection, url: string): ServerLeftOut => ({
  address: url + own,
  detail: "is a private collection: it is read where a source names it",
});

const listedDocument = ({ id, url: own, title, updatedAt, revision }: Document, url: string): ListedPage => ({
  id,
  address: url + own,
  title: title.trim() === "" ? "Untitled" : title,
  changedAt: updatedAt,
  revision: String(revision),
});

/** What the ids of collections have in front, among those of documents. */
export const COLLECTION_MARK = "collection:";

const listedCollection = ({ id, url: own, name, updatedAt }: Collection, url: string): ListedPage => ({
  id: COLLECTION_MARK + id,
  address: url + own,
  title: name,
  changedAt: updatedAt,
  revision: "0",
});

interface Contents {
  collections: readonly Collection[];
  addresses: ReadonlyMap<string, string>;
  /** The document that is the top of the menu. */
  root: string | undefined;
}

async function menuOf(
  api: OutlineApi,
  { collections, addresses, root }: Contents,
): Promise<ServerMenuEntry[]> {
  const menu: ServerMenuEntry[] = [];
  for (const { id, name } of collections) {
    const nodes = await api.ask("collections.documents", { id }, z.array(z.unknown()));
    const children = entriesOf(nodes, addresses, root);
    const address = addresses.get(id);
    if (collections.length === 1 && address === undefined) menu.push(...children);
    else if (children.length > 0 || address !== undefined) menu.push({ label: name, address, children });
  }
  return menu;
}

const DEPTH_MAX = 50;

/** The entries of what is listed. Above the document that is the top of the menu there are none. */
function entriesOf(
  nodes: readonly unknown[],
  addresses: ReadonlyMap<string, string>,
  root: string | undefined,
  depth = 0,
): ServerMenuEntry[] {
  if (depth > DEPTH_MAX) return [];
  return nodes.map(asRecord).flatMap((node) => {
    const inner = asList(node["children"]);
    const id = asText(node["id"]) ?? "";
    if (root !== undefined && id !== root) return entriesOf(inner, addresses, root, depth + 1);
    const address = addresses.get(id);
    const children = entriesOf(inner, addresses, undefined, depth + 1);
    if (address === undefined && children.length === 0) return [];
    return [{ label: asText(node["title"]) || "Untitled", address, children }];
  });
}
