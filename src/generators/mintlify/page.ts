import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { asText } from "../../text/json.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { showFilled } from "./filled-words.ts";
import { createHeadingIds } from "./heading-ids.ts";
import { readMarkup } from "./markup.ts";
import { type ApiFiles, operationOf, writeOperation } from "./operations.ts";
import { type PublishedPage, pathOfName } from "./pages.ts";
import type { MintlifySettings } from "./settings.ts";
import { withSnippets } from "./snippets.ts";

/** What reading a page takes from its site. */
export interface Surroundings {
  tree: DocsTree;
  settings: MintlifySettings;
  byPath: ReadonlyMap<string, PublishedPage>;
  api: ApiFiles;
}

export async function readPage(surroundings: Surroundings, page: PublishedPage): Promise<ReadDocsPage> {
  const { tree, settings } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(page.location)) ?? "");
  const whole = await withSnippets({ tree, root: settings.root }, page.location, body);
  const { markdown, faults } = readMarkup(whole.body, data);
  const linked = rewriteLinks(showFilled(markdown), (href) => publishedHref(surroundings, page, href));
  const later = createHeadingIds();
  const named = writeHeadingIds(linked, ({ source: words, given }) => given ?? later.ofTitle(words));
  const made = await readOperation(surroundings, data);
  return {
    data: { ...data, title: page.title, ...made.data },
    markdown: made.text === "" ? named : `${made.text}\n\n${named}`,
    faults: [...(fault === undefined ? [] : [fault]), ...whole.faults, ...faults, ...made.faults],
  };
}

/** What a page shows of the operation of an API that its front matter names. */
async function readOperation(
  { api }: Surroundings,
  data: Readonly<Record<string, unknown>>,
): Promise<{ text: string; data: Record<string, unknown>; faults: string[] }> {
  const written = asText(data["openapi"]);
  if (written === undefined) return { text: writtenEndpoint(data["api"]), data: {}, faults: [] };
  const operation = await operationOf(api, written);
  if (operation === undefined) {
    const endpoint = written.replace(/^\S+\.(?:json|ya?ml)\s+/, "");
    const faults = [`the operation ${written}, which it shows, is in no OpenAPI file of this source`];
    return { text: writtenEndpoint(endpoint), data: {}, faults };
  }
  const { description } = operation;
  const isSaid = description === undefined || data["description"] !== undefined;
  return { text: writeOperation(operation), data: isSaid ? {} : { description }, faults: [] };
}

/** `POST /users`, as it stands at the top of an operation's page. */
function writtenEndpoint(value: unknown): string {
  const text = asText(value)?.trim() ?? "";
  return /^[a-z]+\s+\S+$/i.test(text) ? `\`${text}\`` : "";
}

/** Where a link of a page leads: Mintlify takes the extension of files off, and an index for its folder. */
function publishedHref({ byPath }: Surroundings, page: PublishedPage, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const from = /^\.\.?\//.test(target) ? folderOf(page.name) : folderOf(page.path);
  const place = target.startsWith("/") ? resolveLocation("", target) : resolveLocation(from, target);
  if (place === undefined) return undefined;
  const path = pathOfName(place.replace(/\.mdx?$/i, ""));
  if (byPath.has(path)) return `/${path}${rest}`;
  return target.startsWith("/") ? undefined : `/${place}${rest}`;
}
