import { decodeText } from "@docent/kernel/text/decode-bytes";
import { relativeDestinations, rewriteDestinations } from "@docent/reading/markdown/destinations";
import type { MenuEntry } from "@docent/reading/page/menu";
import { hrefOf, normalizePath } from "@docent/reading/page/page-path";
import { type PageRedirect, redirectTargetOf } from "@docent/reading/page/redirects";
import {
  type DocsMarks,
  type FoundDocs,
  isSkipped,
  type SourceItem,
  type SourceReader,
} from "@docent/reading/source-reader";
import { resolveLink } from "../../../pages/page-link.ts";
import { type FoundPage, isPublished, type Survey } from "./survey.ts";

interface AsPublished {
  found: Survey["found"];
  siteUrl: string | undefined;
}

/** The paths of pages by those that their source says, as far as they are published at others. */
type Moved = ReadonlyMap<string, string>;

/** The same source, with its pages at the addresses, and under the ids, that the site publishes them with. */
export function asPublished(reader: SourceReader, { found, siteUrl }: AsPublished): SourceReader {
  const moved = movedIn(found);
  const links = moved.size === 0 ? undefined : { moved, siteUrl, hash: hashOf([...moved]) };
  return {
    async *list(context) {
      const onRecognized = (docs: FoundDocs) => context.onRecognized?.(docsAsPublished(docs, found, moved));
      // A document is noted on its item while it is read: no copy is made of that.
      for await (const item of reader.list({ ...context, onRecognized }))
        yield isSkipped(item) || item.format === "document"
          ? item
          : itemAsPublished(item, { found: isPublished(item) ? found.get(item.path) : undefined, links });
    },
  };
}

/** Links between files name pages without the ending that their source says; not where another page is published there. */
function movedIn(found: Survey["found"]): Moved {
  const pairs = [...found].flatMap(([from, { page }]): [string, string][] =>
    from === page.path ? [] : [[from, page.path]],
  );
  const plain = redirectsTo(found).map(({ from, to }): [string, string] => [from, to]);
  return new Map([...plain, ...pairs]);
}

/** The addresses that its source says for pages that are published at others. */
export function redirectsTo(found: Survey["found"]): PageRedirect[] {
  const taken = new Set([...found.values()].map(({ page }) => normalizePath(page.path)));
  return [...found].flatMap(([path, { page }]) => {
    const from = normalizePath(path);
    return path === page.path || taken.has(from) ? [] : [{ from, to: page.path }];
  });
}

/** Where links lead to pages that are published at other addresses. */
interface MovedLinks {
  moved: Moved;
  siteUrl: string | undefined;
  hash: string;
}

interface Published {
  found: FoundPage | undefined;
  links: MovedLinks | undefined;
}

function itemAsPublished(item: SourceItem, { found, links: all }: Published): SourceItem {
  const { validator } = item;
  const links = item.format === "md" ? all : undefined;
  // What HTML a site publishes has its ids.
  const ids = item.format === "html" ? undefined : found && idsOf(found.page);
  const from = [...(links ? [links.hash] : []), ...(ids ? [ids] : [])];
  return {
    ...item,
    ...(found && { path: found.page.path }),
    ...(ids && { published: ids }),
    ...(item.marks && { marks: marksAsPublished(item.marks, all?.moved ?? new Map()) }),
    // A file that has not changed makes another page where the site has.
    ...(validator !== undefined && from.length > 0 && { validator: `${validator} ${hashOf(from)}` }),
    async read() {
      const content = await item.read();
      return links ? withLinksTo(item, links, content) : content;
    },
    // It was made before its ids were known.
    parsed: undefined,
  };
}

const idsOf = ({ headings, places }: FoundPage["page"]) => ({ headings, places });

const hashOf = (value: unknown) => Bun.SHA256.hash(JSON.stringify(value), "hex").slice(0, 16);

const marksAsPublished = (marks: DocsMarks, moved: Moved): DocsMarks => ({
  ...marks,
  ...(marks.translations && {
    translations: Object.fromEntries(
      Object.entries(marks.translations).map(([language, path]) => [language, moved.get(path) ?? path]),
    ),
  }),
});

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;

/** A page of Markdown whose links lead to pages where they are published. */
function withLinksTo(
  { path: own, location }: SourceItem,
  { moved, siteUrl }: MovedLinks,
  content: Uint8Array,
): Uint8Array {
  const base = { path: own, location, siteUrl };
  const text = decodeText(content, { html: false })?.text;
  if (text === undefined) return content;
  const front = FRONT_MATTER.exec(text)?.[0] ?? "";
  const markdown = text.slice(front.length);
  const rewritten = relativeDestinations(markdown).flatMap((destination) => {
    const { href, kind } = destination;
    const target = kind === "picture" || href.startsWith("#") ? undefined : resolveLink(href, base);
    const path = target?.kind === "page" ? moved.get(target.path) : undefined;
    return path === undefined || target?.kind !== "page"
      ? []
      : [{ ...destination, href: hrefOf({ path, anchor: target.anchor }) }];
  });
  return rewritten.length === 0
    ? content
    : new TextEncoder().encode(front + rewriteDestinations(markdown, rewritten));
}

/** What the files of a source were recognized as, with the addresses of the site. */
function docsAsPublished<Docs extends FoundDocs>(docs: Docs, found: Survey["found"], moved: Moved): Docs {
  const samples = docs.samples.map(({ location, path }) => ({
    location,
    path: found.get(path)?.page.path ?? path,
  }));
  return {
    ...docs,
    samples,
    ...(docs.menu && { menu: menuAsPublished(docs.menu, moved) }),
    ...(docs.redirects && { redirects: docs.redirects.map((each) => redirectAsPublished(each, moved)) }),
  };
}

const menuAsPublished = (entries: readonly MenuEntry[], moved: Moved): MenuEntry[] =>
  entries.map(({ path, children, ...entry }) => ({
    ...entry,
    ...(path !== undefined && { path: moved.get(path) ?? path }),
    children: menuAsPublished(children, moved),
  }));

function redirectAsPublished({ from, to }: PageRedirect, moved: Moved): PageRedirect {
  const { path, anchor } = redirectTargetOf(to);
  const target = moved.get(path) ?? path;
  return { from, to: anchor === "" ? target : `${target}#${anchor}` };
}
