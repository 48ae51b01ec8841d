import { decodePercent } from "@docent/kernel/text/decode-percent";
import { phrasesFor } from "@docent/sites/site/phrases";
import type { SiteSettings } from "@docent/sites/site/settings";
import { isReadWithoutKey, isShownToAnyone, type Site, wantsSignIn } from "@docent/sites/site/sites";
import { Elysia } from "elysia";
import { isForPrograms, type PageReader, showSignIn } from "./access/access.ts";
import { isFilePath, showFile } from "./article/article.ts";
import { PLAIN_HEADERS } from "./headers.ts";
import { isLookPath, showLook } from "./look/look.ts";
import {
  filesOfPages,
  notFoundPage,
  pageAsked,
  type ReaderRequest,
  type ReaderSiteOptions,
  SIGN_IN_FAILED,
  SIGN_OUT,
} from "./request.ts";
import { showSearchJson } from "./search-page.ts";
import { showSignedPage } from "./signed-page.ts";
import { showSitePage } from "./site-page.ts";

export { createReaderAccess, createReaderMembers, type SignInWay } from "./access/access.ts";
export type { ReaderSiteOptions } from "./request.ts";
export { createReaderSearch } from "./search.ts";
export { createReaderWidget } from "./widget-tag.ts";

/**
 * `/sites/{domain}/{path}`: the place to read a site's docs. Where the site is public, with `.md` behind it as Markdown;
 * its lists for programs; and what its search box asks as one types. Nothing of it needs a script.
 */
export function readerSiteRoutes(options: ReaderSiteOptions) {
  return new Elysia()
    .get("/sites/:domain/llms.txt", ({ params, request, server }) =>
      show(options, params.domain, "llms.txt", { request, peer: server?.requestIP(request)?.address }),
    )
    .get("/sites/:domain/llms-full.txt", ({ params, request, server }) =>
      show(options, params.domain, "llms-full.txt", { request, peer: server?.requestIP(request)?.address }),
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
  if (path === SIGN_OUT) return signOut(options, asked);
  const reader = await options.access.admit(request, site, peer);
  if (reader !== undefined) return showTo(reader, options, asked);
  if (wantsSignIn(site)) return askToSignIn(options, asked);
  return (await showSignedPage(options, asked)) ?? notFound(options);
}

async function showTo(
  { audience, signedIn, cookie }: PageReader,
  options: ReaderSiteOptions,
  asked: Omit<ReaderRequest, "audience">,
): Promise<Response> {
  const { site } = asked;
  const own = { ...asked, audience, signedIn };
  const page = await (isReadWithoutKey(site) ? showSite(options, own) : showSitePage(options, own));
  if (cookie !== undefined) page.headers.append("set-cookie", cookie);
  // What is between may keep what is for everyone.
  if (!isShownToAnyone(site) || signedIn !== undefined)
    page.headers.set("cache-control", "private, no-cache");
  return page;
}

/** People are shown where to sign in, and programs told what to send: the same for what is there and what is not. */
async function askToSignIn(
  options: ReaderSiteOptions,
  { site, path, request, peer }: Omit<ReaderRequest, "audience">,
): Promise<Response> {
  if (isForPrograms(path)) await options.readers.admit(request, site, peer ?? "");
  const { pathname, searchParams } = new URL(request.url);
  const hasFailed = searchParams.has(SIGN_IN_FAILED);
  searchParams.delete(SIGN_IN_FAILED);
  return showSignIn(site, {
    ways: options.access.ways(),
    returnTo: pathname + (searchParams.size === 0 ? "" : `?${searchParams}`),
    hasFailed,
    members: `${options.basePath}/sign-in`,
    style: (await filesOfPages(options)).style,
  });
}

/** Leads to the site's first page, where one may sign in again. */
async function signOut(
  { access, basePath }: ReaderSiteOptions,
  { site, query, request }: { site: Site; query: URLSearchParams; request: Request },
): Promise<Response> {
  const taken = await access.signOut(request, query);
  const headers = new Headers({ ...PLAIN_HEADERS, location: `${basePath}/sites/${site.domain}/` });
  if (taken !== "") headers.append("set-cookie", taken);
  return new Response(null, { status: 302, headers });
}

/** What is on a site that is read here. */
const showSite = async (options: ReaderSiteOptions, asked: ReaderRequest): Promise<Response> =>
  (await showForPrograms(options, asked)) ?? showSitePage(options, asked);

/** What programs read of a site; undefined for everything else. */
async function showForPrograms(
  options: ReaderSiteOptions,
  asked: ReaderRequest,
): Promise<Response | undefined> {
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
