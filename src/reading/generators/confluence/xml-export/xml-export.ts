import { keepLatest } from "@docent/kernel/lib/remember";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { encodePath, fragmentOf } from "../../../page/page-path.ts";
import type {
  DocsSite,
  GeneratorAdapter,
  HeldFile,
  LeftOut,
  ReadDocsPage,
  Unknown,
} from "../../docs-site.ts";
import { type DocsTree, joinLocation, nameOf } from "../../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../../site-files.ts";
import {
  type LinkTarget,
  type NamedFile,
  placeOf,
  placesIn,
  readStorage,
  type StoragePlaces,
  type StorageSurroundings,
} from "../storage/storage.ts";
import { type ExportedContent, type ExportedFile, readBodies, readContent } from "./content.ts";
import { type PlacedPage, placePages, readWikiAddress } from "./places.ts";

/** The XML export of a space of Confluence, or of all of them. */
export const confluenceXml: GeneratorAdapter = {
  name: "Confluence",
  knowsRights: true,
  roots: (tree) => rootsIn(SITE_FILES.confluenceXml, tree.files),
  async open(tree, root) {
    const file = joinLocation(root, ENTITIES);
    const text = await tree.text(file);
    return text === undefined || !START.test(text) ? undefined : openExport(tree, root, file, text);
  },
};

const ENTITIES = "entities.xml";
const DESCRIPTOR = "exportDescriptor.properties";
const START = /^\uFEFF?\s*(?:<\?xml[^>]{0,200}\?>\s*)?<hibernate-generic[\s>]/;

interface Wiki {
  root: string;
  content: ExportedContent;
  pages: readonly PlacedPage[];
  byId: ReadonlyMap<string, PlacedPage>;
  /** By the key of the space and the title. */
  byTitle: ReadonlyMap<string, PlacedPage>;
  bodies: ReadonlyMap<string, string | undefined>;
  /** The places of pages that links with an anchor led to. */
  places: Map<string, StoragePlaces>;
  files: ReadonlyMap<string, AttachedFile>;
}

/** A file that is attached to a page which is published. */
interface AttachedFile extends HeldFile {
  page: PlacedPage;
  name: string;
}

async function openExport(tree: DocsTree, root: string, file: string, text: string): Promise<DocsSite> {
  const descriptor = (await tree.text(joinLocation(root, DESCRIPTOR))) ?? "";
  const content = await readContent(text, /^defaultUsersGroup=(.+)$/m.exec(descriptor)?.[1]?.trim());
  // Whom a page is for may stand at the very end.
  if (content.fault !== undefined) return damagedSite(root, file, content.fault);
  const { pages, leftOut, menu } = placePages(content, file);
  const byId = new Map(pages.map((page) => [page.id, page]));
  const wiki: Wiki = {
    root,
    content,
    pages,
    byId,
    byTitle: new Map(pages.map((page) => [titleKey(content.spaces.get(page.space)?.key, page.title), page])),
    bodies: await readBodies(text, new Set(byId.keys())),
    places: new Map(),
    files: await attachedFiles(tree, root, content.files, byId),
  };
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const held = [...wiki.files.values()];
  const addresses = new Map(held.map((each) => [each.location, addressOf(each)]));
  return {
    generator: "Confluence",
    root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut: [...leftOut, ...countsOf(content, file)],
    menu,
    redirects: [],
    unknowns: viewersUnknown(content),
    holdsRestricted: leftOut.length > 0,
    held,
    documentPath: (location) => addresses.get(location),
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no page of this export`);
      return readPage(wiki, page);
    },
    async plain({ location }) {
      const page = byLocation.get(location);
      const text = page && wiki.bodies.get(page.id);
      return text === undefined ? undefined : { text, format: "html", title: page?.title ?? "" };
    },
  };
}

const damagedSite = (root: string, file: string, fault: string): DocsSite => ({
  generator: "Confluence",
  root,
  pages: [],
  leftOut: [
    {
      location: file,
      detail: `cannot be read to its end, and nothing of it is taken: who may read which page is not known (${fault})`,
    },
  ],
  menu: [],
  redirects: [],
  unknowns: [],
  holdsRestricted: true,
  read: async () => ({ data: {}, markdown: "", faults: [] }),
});

/** Restrictions of pages are known; whether those who may see the space are the readers is for its owner to say. */
function viewersUnknown({ spaces }: ExportedContent): Unknown[] {
  const [space, ...others] = [...spaces.values()].filter(({ isForAll }) => !isForAll);
  if (space === undefined || others.length > 0 || spaces.size > 1) return [];
  const groups = space.groups.slice(0, 5).join(", ") || "some people only";
  const question = `Who may read the space "${space.name}"? The wiki shows it to ${groups}.`;
  return [{ question, guess: "every reader of the site may read it" }];
}

const countsOf = ({ leftOut }: ExportedContent, file: string): LeftOut[] =>
  [...leftOut].map(([why, count]) => ({
    location: file,
    detail: `holds pages that ${why}: ${count} left out`,
  }));

const titleKey = (space: string | undefined, title: string) => `${space ?? ""}\n${title.toLowerCase()}`;

/** The files of published pages, by page and name: an export calls them by their numbers. */
async function attachedFiles(
  tree: DocsTree,
  root: string,
  files: readonly ExportedFile[],
  byId: ReadonlyMap<string, PlacedPage>,
): Promise<Map<string, AttachedFile>> {
  const found = new Map<string, AttachedFile>();
  for (const { id, page: owner, name, version } of files) {
    const page = byId.get(owner);
    const folder = joinLocation(root, `attachments/${owner}/${id}`);
    const own = `${folder}/${version}`;
    // The number of the version is not always that of the file.
    const place = tree.has(own) ? own : tree.below(folder).toSorted(byNumber).at(-1);
    if (page === undefined || place === undefined || name.includes("/")) continue;
    found.set(fileKey(owner, name), {
      page,
      name,
      location: joinLocation(root, `attachments/${owner}/${name}`),
      sizeBytes: 0,
      async read() {
        const content = await tree.bytes(place);
        if (content === undefined) throw tree.unread().get(place) ?? new Error(`${place} cannot be read`);
        return content;
      },
    });
  }
  return found;
}

const byNumber = (a: string, b: string) => Number(nameOf(a)) - Number(nameOf(b));
const fileKey = (page: string, name: string) => `${page}/${name}`;
const addressOf = ({ page, name }: AttachedFile) => joinLocation(page.path, name);

function readPage(wiki: Wiki, page: PlacedPage): ReadDocsPage {
  const body = wiki.bodies.get(page.id);
  const { markdown, faults } = readStorage(body ?? "", surroundingsOf(wiki, page));
  const isOld = wiki.bodies.has(page.id) && body === undefined;
  return {
    data: { title: page.title, ...(page.labels.length > 0 ? { tags: page.labels } : {}) },
    markdown: markdown === "" ? listBelow(wiki, page) : markdown,
    faults: isOld ? [OLD_MARKUP, ...faults] : faults,
  };
}

const OLD_MARKUP =
  "It is in the wiki markup of Confluence 3, which is not read: save the page in a newer version of Confluence.";

/** A page without words of its own shows what is below it. */
const listBelow = ({ pages }: Wiki, { id }: PlacedPage) =>
  pages
    .filter(({ parent }) => parent === id)
    .map(({ title, path }) => `- [${escapeLabel(title)}](/${encodePath(path)})`)
    .join("\n");

const IMAGE = /\.(?:png|jpe?g|jfif|gif|webp|avif|svg)$/i;
const KEPT_PLACES_MAX = 200;

function surroundingsOf(wiki: Wiki, page: PlacedPage): StorageSurroundings {
  const { content, bodies, byId } = wiki;
  const meant = (target: LinkTarget) => pageOf(wiki, page, target);
  const fileOf = ({ name, page: owner }: NamedFile) =>
    wiki.files.get(fileKey((owner === undefined ? page : meant(owner))?.id ?? "", name));
  const hrefTo = (target: PlacedPage | undefined, anchor: string) => {
    if (target === undefined) return undefined;
    const place = anchor === "" ? "" : (placeOf(placesOf(wiki, target), anchor, target.title) ?? "");
    const fragment = fragmentOf(place);
    if (target.id === page.id && anchor !== "") return fragment || undefined;
    return `/${encodePath(target.path)}${fragment}`;
  };
  const fileHref = (file: AttachedFile | undefined) =>
    file === undefined ? undefined : `/${encodePath(addressOf(file))}`;
  return {
    id: page.id,
    pageHref: (target, anchor) => hrefTo(meant(target), anchor),
    pageTitle: (target) => meant(target)?.title,
    fileHref: (file) => fileHref(fileOf(file)),
    imageSource(file) {
      const found = fileOf(file);
      return found === undefined || !IMAGE.test(found.name)
        ? undefined
        : `/attachments/${found.page.id}/${encodePath(found.name)}`;
    },
    hrefOf(href) {
      const address = readWikiAddress(href);
      if (address === undefined) return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href) ? href : undefined;
      const { id, space, title, file } = address;
      const target = id === undefined ? meant({ id, space, title }) : byId.get(id);
      const attached = file === undefined ? undefined : wiki.files.get(fileKey(target?.id ?? "", file));
      const found = file === undefined ? hrefTo(target, /#(.*)$/s.exec(href)?.[1] ?? "") : fileHref(attached);
      // An address of another wiki looks the same.
      return found ?? (/^https?:/i.test(href) ? href : undefined);
    },
    personName: (key) => content.people.get(key),
    bodyOf(target) {
      const included = meant(target);
      const storage = included === undefined ? undefined : bodies.get(included.id);
      return included === undefined || storage === undefined
        ? undefined
        : { storage, surroundings: surroundingsOf(wiki, included) };
    },
  };
}

/** The page that a link names: by its id, or by its title in a space; a space is its home page. */
function pageOf(
  { content, byId, byTitle }: Wiki,
  page: PlacedPage,
  { id, space, title }: LinkTarget,
): PlacedPage | undefined {
  if (id !== undefined) return byId.get(id);
  const own = content.spaces.get(page.space);
  if (title === "@self" || (title === undefined && space === undefined)) return page;
  if (title === "@parent") return byId.get(page.parent ?? "");
  if (title === "@home") return byId.get(own?.home ?? "");
  if (title !== undefined && title !== "") return byTitle.get(titleKey(space ?? own?.key, title));
  const named = [...content.spaces.values()].find(({ key }) => key === space);
  return byId.get(named?.home ?? "");
}

function placesOf({ places, bodies }: Wiki, { id }: PlacedPage): StoragePlaces {
  const known = places.get(id);
  if (known !== undefined) return known;
  const found = placesIn(bodies.get(id) ?? "");
  keepLatest(places, id, found, KEPT_PLACES_MAX);
  return found;
}
