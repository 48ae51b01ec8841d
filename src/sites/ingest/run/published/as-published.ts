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
import type { FoundPage, Survey } from "./survey.ts";

interface AsPublished {
  found: Survey["found"];
  siteUrl: string | undefined;
}

/** The paths of pages by those that their source says, as far as they are published at others. */
type Moved = ReadonlyMap<string, string>;

/** The same source, with its pages at the addresses, and under the ids, that the site publishes them with. */
export function asPublished(reader: SourceReader, { found, siteUrl }: AsPublished): SourceReader {
  const moved = movedIn(found);
  return {
    async *list(context) {
      const onRecognized = (docs: FoundDocs) => context.onRecognized?.(docsAsPublished(docs, found, moved));
      for await (const item of reader.list({ ...context, onRecognized }))
        yield isSkipped(item)
          ? item
          : itemAsPublished(item, { found: found.get(item.location), moved, siteUrl });
    },
  };
}

const movedIn = (found: Survey["found"]): Moved =>
  new Map(
    [...found.values()]
      .filter(({ from, page }) => from !== page.path)
      .map(({ from, page }) => [from, page.path]),
  );

/** The addresses that its source says for pages that are published at others. */
export function redirectsTo(found: Survey["found"]): PageRedirect[] {
  const taken = new Set([...found.values()].map(({ page }) => normalizePath(page.path)));
  return [...movedIn(found)].flatMap(([path, to]) => {
    const from = normalizePath(path);
    return taken.has(from) ? [] : [{ from, to }];
  });
}

interface Published {
  found: FoundPage | undefined;
  moved: Moved;
  siteUrl: string | undefined;
}

function itemAsPublished(item: SourceItem, { found, moved, siteUrl }: Published): SourceItem {
  const links = { base: { path: item.path, location: item.location, siteUrl }, moved };
  const marks = item.marks && marksAsPublished(item.marks, moved);
  const published = {
    ...item,
    ...(marks && { marks }),
    async read() {
      const content = await item.read();
      return moved.size > 0 && item.format === "md" ? withLinksTo(links, content) : content;
    },
    // It was made before its ids were known.
    parsed: undefined,
  };
  if (found === undefined) return published;
  const { path, headings, places } = found.page;
  const { validator } = item;
  return {
    ...published,
    path,
    // What HTML a site publishes has its ids.
    ...(item.format !== "html" && { published: { headings, places } }),
    ...(validator !== undefined && { validator: `${validator} ${hashOf([headings, places])}` }),
  };
}

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
  { base, moved }: { base: Parameters<typeof resolveLink>[1]; moved: Moved },
  content: Uint8Array,
): Uint8Array {
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
    path: found.get(location)?.page.path ?? path,
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
