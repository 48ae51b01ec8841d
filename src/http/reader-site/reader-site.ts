import { Elysia } from "elysia";
import { UNKNOWN_READER } from "../../readers/readers.ts";
import { phrasesFor } from "../../sites/phrases.ts";
import type { SiteSettings } from "../../sites/settings.ts";
import { decodePercent } from "../../text/decode-percent.ts";
import { isFilePath, showFile } from "./article/article.ts";
import { isLookPath, showLook } from "./look/look.ts";
import { notFoundPage, pageAsked, type ReaderRequest, type ReaderSiteOptions } from "./request.ts";
import { showSearchJson } from "./search-page.ts";
import { SIGNATURE } from "./signed-links.ts";
import { showSignedPage } from "./signed-page.ts";
import { showSitePage } from "./site-page.ts";

export { createReaderMembers } from "./member-access.ts";
export type { ReaderSiteOptions } from "./request.ts";
export { createReaderSearch } from "./search.ts";
export { createReaderWidget } from "./widget-tag.ts";

/**
 * `/sites/{domain}/{path}`: the place to read a site's docs. Where the site is public, with `.md` behind it as Markdown;
 * its lists for programs; and what its search box asks as one types. Nothing of it needs a script.
 */
export function readerSiteRoutes(options: ReaderSiteOptions) {
  return new Elysia()
    .get("/sites/:domain/llms.txt", ({ params, request }) =>
      show(options, params.domain, "llms.txt", { request, peer: undefined }),
    )
    .get("/sites/:domain/llms-full.txt", ({ params, request }) =>
      show(options, params.domain, "llms-full.txt", { request, peer: undefined }),
    )
    .get("/sites/:domain/search.json", ({ params, request, server }) =>
      show(options, params.domain, "search.json", { request, peer: server?.requestIP(request)?.address }),
    )
    .get("/sites/:domain/*", ({ params, request, server }) =>
      show(options, params.domain, params["*"], { request, peer: server?.requestIP(request)?.address }),
    )
    .get("/sites/:domain", ({ params, request, server }) =>
      show(options, params.domain, "", { request, peer: server?.requestIP(request)?.address }),
    );
}

async function show(
  options: ReaderSiteOptions,
  domain: string,
  written: string,
  { request, peer }: Pick<ReaderRequest, "request" | "peer">,
): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const site = options.directory.byDomain(domain);
  const path = trimSlashes(decodePercent(written));
  // A page that must not be shown gets the answer that a missing one gets.
  if (!site) return notFound(options);
  const asked = { site, path, query, request, peer };
  if (isLookPath(path)) return showLook(site, path) ?? notFound(options);
  if (isFilePath(path)) return (await showFile(options, asked)) ?? notFound(options);
  if (site.settings.public) return showToAll(options, { ...asked, audience: UNKNOWN_READER.audience });
  const member = await options.members.admit(request, site);
  if (!member) return (await showSignedPage(options, asked)) ?? notFound(options);
  // Whoever works for the organization sees in its dashboard what its pages say, whomever these are for.
  const page = await showSitePage(options, { ...asked, audience: "everything" });
  if (member.cookie !== undefined) page.headers.append("set-cookie", member.cookie);
  return page;
}

/** What is on a public site; of a page that is not for whoever reads, what a signed link opens. */
async function showToAll(options: ReaderSiteOptions, asked: ReaderRequest): Promise<Response> {
  const isShown = !asked.query.has(SIGNATURE) || (await pageAsked(options.pages, asked)) !== undefined;
  const signed = isShown ? undefined : await showSignedPage(options, asked);
  return signed ?? (await showPublic(options, asked)) ?? showSitePage(options, asked);
}

/** What programs read of a public site; undefined for everything else. */
async function showPublic(options: ReaderSiteOptions, asked: ReaderRequest): Promise<Response | undefined> {
  const { pages, publicSite, publicUrl } = options;
  const { site, audience, path, query, request } = asked;
  if (path === "search.json" && query.has("q")) return showSearchJson(options, asked);
  const root = `${publicUrl()}/sites/${site.domain}/`;
  const place = { site, audience, root, readerRoot: root };
  const list = await publicSite.list(place, path, request);
  if (list !== undefined || !path.endsWith(".md")) return list;
  const page = await pageAsked(pages, asked);
  if (!page) return notFound(options, site.settings);
  // A page that was found at an address may be called so itself.
  return page.path === path ? undefined : publicSite.markdown(place, page, request);
}

const notFound = (
  options: ReaderSiteOptions,
  { language, phrases }: Pick<SiteSettings, "language" | "phrases"> = { language: "en", phrases: {} },
) => notFoundPage(options, { language, text: phrasesFor(language, phrases).pageNotFound });

/** In two steps: where one pattern looks for both ends, a long run of slashes in the middle takes for ever. */
const trimSlashes = (path: string) => path.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");
