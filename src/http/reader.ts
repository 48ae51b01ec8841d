import { Elysia } from "elysia";
import { phrasesFor } from "../answer/phrases.ts";
import { renderHtml } from "../markdown/render.ts";
import { resolveLink } from "../pages/page-link.ts";
import { decodePath, encodePath } from "../pages/page-path.ts";
import { choosePage, findByWrittenPath, type Page, type PageStore } from "../pages/pages.ts";
import type { SiteDirectory } from "../sites/directory.ts";
import type { Site, SiteSettings } from "../sites/sites.ts";
import css from "../web/reader/reader.css" with { type: "text" };
import type { PublicSite } from "./public-site.ts";
import type { ReaderLinks } from "./reader-links.ts";

export interface ReaderOptions {
  directory: SiteDirectory;
  pages: PageStore;
  links: ReaderLinks;
  basePath: string;
  /** Where the server is reached from outside. Known once it listens. */
  publicUrl: () => string;
  publicSite: PublicSite;
}

/**
 * Docs text is nobody's program: no script, no frame, no form, nothing from elsewhere, and an origin of its own.
 * Links leave without saying where from: the address may be a signed one.
 */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "cache-control": "private, no-cache",
};

/**
 * `/sites/{domain}/{path}`: a page as plain HTML, so that a citation of a site without a URL leads somewhere. Where the
 * site is public, with `.md` behind it as Markdown; and its lists for programs.
 */
export function readerRoutes(options: ReaderOptions) {
  return new Elysia()
    .get("/sites/:domain/llms.txt", ({ params, request }) =>
      show(options, params.domain, "llms.txt", request),
    )
    .get("/sites/:domain/llms-full.txt", ({ params, request }) =>
      show(options, params.domain, "llms-full.txt", request),
    )
    .get("/sites/:domain/*", ({ params, request }) => show(options, params.domain, params["*"], request))
    .get("/sites/:domain", ({ params, request }) => show(options, params.domain, "", request));
}

async function show(
  { directory, pages, links, basePath, publicSite, publicUrl }: ReaderOptions,
  domain: string,
  asked: string,
  request: Request,
): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const site = directory.byDomain(domain);
  const path = trimSlashes(decodePath(asked));
  const filter = { version: query.get("version") ?? undefined, language: query.get("language") ?? undefined };
  // A page that must not be shown gets the answer that a missing one gets.
  if (!site || !links.allows(site, { path, ...filter }, query)) return notFound("en", {});
  const place = site.settings.public ? { site, root: `${publicUrl()}/sites/${site.domain}/` } : undefined;
  const list = place && (await publicSite.list(place, path, request));
  if (list) return list;
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const page = choosePage(await findByWrittenPath(pages, site.id, path), filter, { version, language });
  if (!page || page.hidden) return notFound(site.settings.language, site.settings.phrases);
  // A page that was found at an address may be called so itself.
  if (place && path.endsWith(".md") && page.path !== path) return publicSite.markdown(place, page, request);
  const until = query.has("until") ? Number(query.get("until")) : undefined;
  const linkTo = (target: string) =>
    `${basePath}/sites/${site.domain}/${encodePath(target)}${links.query(site, { path: target, ...filter }, until)}`;
  const link = place && publicSite.links(place, page, links.query(site, { path, ...filter }));
  const headers = { ...HEADERS, ...(link && { link }) };
  return new Response(document(site, page, bodyOf(site, page, linkTo)), { headers });
}

/** In two steps: where one pattern looks for both ends, a long run of slashes in the middle takes for ever. */
const trimSlashes = (path: string) => path.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");

function bodyOf(site: Site, page: Page, linkTo: (path: string) => string): string {
  return renderHtml(page.markdown, {
    anchors: site.settings.anchors,
    resolveLink(href) {
      if (href.startsWith("#")) return href;
      const target = resolveLink(href, { ...page, siteUrl: site.url });
      if (target?.kind !== "page") return target?.href;
      return linkTo(target.path) + (target.anchor === "" ? "" : `#${encodePath(target.anchor)}`);
    },
  });
}

function document(site: Site, page: Page, body: string): string {
  const title = escapeHtml(page.title);
  const heading = /<h1[\s>]/.test(body) ? "" : `<h1>${title}</h1>`;
  return htmlPage(
    page.language || site.settings.language,
    `${title} · ${escapeHtml(site.name)}`,
    `<header><strong>${escapeHtml(site.name)}</strong><span>/${escapeHtml(page.path)}</span></header><main>${heading}${body}</main>`,
  );
}

function notFound(language: string, own: SiteSettings["phrases"]): Response {
  const text = escapeHtml(phrasesFor(language, own).pageNotFound);
  return new Response(htmlPage(language, text, `<main><p>${text}</p></main>`), {
    status: 404,
    headers: HEADERS,
  });
}

const htmlPage = (language: string, title: string, body: string) =>
  `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${css}</style></head><body>${body}</body></html>`;

const escapeHtml = (text: string) => Bun.escapeHTML(text);
