import { encodePath, fragmentOf, normalizePath, readerAddress } from "@docent/reading/page/page-path";
import type { RedirectTarget } from "@docent/reading/page/redirects";
import { editAddress } from "@docent/sites/ingest/ingest";
import type { Page, PageStore } from "@docent/sites/pages/pages";
import { phrasesFor } from "@docent/sites/site/phrases";
import { isReadWithoutKey, isShownToAnyone, type Site } from "@docent/sites/site/sites";
import { textReply } from "../request/compress.ts";
import { isKnownEtag } from "../request/etag.ts";
import type { ReaderAddresses } from "./addresses.ts";
import {
  articleOf,
  filesOfPage,
  foldedOutline,
  outlineOf,
  partOf,
  partsNavigation,
} from "./article/article.ts";
import { readerDocument } from "./document.ts";
import { type Edition, editionFor } from "./edition.ts";
import { ownOrigins, PLAIN_HEADERS, readerHeaders } from "./headers.ts";
import { isThinHome, sectionCards } from "./home/home.ts";
import { type Html, html } from "./html.ts";
import { fill, type ReaderLabels } from "./labels.ts";
import { linkItems, lookOf } from "./look/look.ts";
import { menuOf } from "./menu.ts";
import { folderList, neighboursOf, pageList, trailOf } from "./page-navigation.ts";
import {
  choiceIn,
  filesOfPages,
  pageAsked,
  type ReaderRequest,
  type ReaderSiteOptions,
  SIGN_OUT,
} from "./request.ts";
import { showResults } from "./search-page.ts";
import { editionSwitchers, themeSwitchers } from "./switchers.ts";

/** The main part of a page, with the status and headers of its reply. */
interface Middle {
  /** The entry of the menu that is marked as current; undefined for none. */
  path: string | undefined;
  title: string;
  description?: string | undefined;
  main: Html;
  outline?: Html | undefined;
  status?: number;
  headers?: Record<string, string>;
  /** This is the one address at which the page is published. */
  isCanonical?: boolean;
}

/** A page of a site that its reader may go through as a whole. */
export async function showSitePage(options: ReaderSiteOptions, asked: ReaderRequest): Promise<Response> {
  const { path, query } = asked;
  const isSearch = path === "" && query.has("q");
  const isPage = !isSearch && !query.has("list");
  const page = isPage ? await pageAsked(options.pages, asked) : undefined;
  const view = await editionFor(options, asked, page, choiceIn(query));
  const moved = isPage && !page ? view.navigation.redirect(path, view.choice) : undefined;
  if (moved !== undefined) return redirectTo(moved, view.addresses);
  const middle = isSearch
    ? { path: undefined, ...(await showResults(options, asked, view)) }
    : page
      ? await pageMiddle(options, asked, page, view)
      : await folderMiddle(options, asked, view);
  const near = middle === undefined ? view.navigation.inOtherCase(path, view.choice) : undefined;
  if (near !== undefined) return redirectTo({ path: near, anchor: "" }, view.addresses);
  return respond(options, asked, view, middle ?? missingMiddle(options, asked, view));
}

/** Leads on from where a page was before. Not for good: the docs may have another page there one day. */
function redirectTo({ path, anchor }: RedirectTarget, addresses: ReaderAddresses): Response {
  const location = addresses.page(path) + fragmentOf(anchor);
  return new Response(null, { status: 302, headers: { ...PLAIN_HEADERS, location } });
}

async function respond(
  options: ReaderSiteOptions,
  { site, query, request, signedIn }: ReaderRequest,
  { navigation, tree, choice, addresses: view, language, labels }: Edition,
  { path, title, description, main, outline, status = 200, headers, isCanonical = false }: Middle,
): Promise<Response> {
  const nonce = options.nonce();
  const { headerLinks, footerLinks, footerText } = site.settings;
  const pass = signedIn && options.passes.query(site, signedIn.sessionId);
  // What the page itself asks comes without a cookie: somebody has to be named by a pass, unless all may ask.
  const isAsking = isShownToAnyone(site) || pass !== undefined;
  const addresses = pass === undefined ? view : withPass(view, pass);
  const document = readerDocument({
    siteName: site.name,
    language,
    labels,
    title,
    description,
    main,
    outline,
    nonce,
    files: await filesOfPages(options),
    look: lookOf(site, options.basePath, nonce),
    theme: choice.theme,
    themes: themeSwitchers(query, choice.theme, labels),
    site: {
      addresses,
      menu: menuOf(tree, path, { addresses, labels }),
      choices: editionSwitchers({ navigation, path: path ?? "", choice, addresses, labels }),
      query: query.get("q") ?? "",
      asYouType: isAsking,
      widget: isAsking ? await options.widget.tag(site, { choice, addresses, nonce, pass }) : undefined,
      account: accountOf(options, { site, request, signedIn }, labels),
      headerLinks: linkItems(headerLinks, addresses),
      footer: { text: footerText, links: linkItems(footerLinks, addresses) },
    },
  });
  const origins = ownOrigins(request, options.publicUrl());
  const known = status === 200 ? knownPage(document, nonce) : undefined;
  if (known !== undefined && isKnownEtag(known.etag, request.headers.get("if-none-match")))
    return new Response(null, { status: 304, headers: { ...known } });
  const init = {
    status,
    headers: { ...readerHeaders(nonce, { isCanonical, origins }), ...known, ...headers },
  };
  // How far a page can be compressed would tell who listens in whether what they had searched for is in its pass.
  return pass === undefined ? textReply(request, document, init) : new Response(document, init);
}

/**
 * How a browser knows a page again, whose scripts have another number each time. One that it has runs those that it came
 * with: so a reply that says no more than that it is the same has no policy, which would be in the place of the page's own.
 */
function knownPage(document: string, nonce: string): { etag: string; "cache-control": string } {
  const same = document.replaceAll(nonce, "");
  const digest = new Bun.CryptoHasher("sha256").update(same).digest("base64url").slice(0, 27);
  // A site may stop being public at any time.
  return { etag: `W/"${digest}"`, "cache-control": "no-cache" };
}

function withPass(addresses: ReaderAddresses, pass: string): ReaderAddresses {
  const { searchAsYouType: search } = addresses;
  return { ...addresses, searchAsYouType: `${search}${search.includes("?") ? "&" : "?"}${pass}` };
}

/** Who is signed in, with the way out; or the ways in, where there are some. */
function accountOf(
  { access, basePath }: ReaderSiteOptions,
  { site, request, signedIn }: Pick<ReaderRequest, "site" | "request" | "signedIn">,
  labels: ReaderLabels,
): Html | undefined {
  if (signedIn !== undefined) {
    const out = `${basePath}/sites/${site.domain}/${SIGN_OUT}?${signedIn.signOut}`;
    const who = fill(labels.signedInAs, { name: signedIn.name });
    return html`<span class="reader" title="${who}"><bdi>${signedIn.name}</bdi></span> <a href="${out}">${labels.signOut}</a>`;
  }
  const { pathname, search } = new URL(request.url);
  const [way] = access.ways();
  if (way === undefined || !isShownToAnyone(site)) return undefined;
  return html`<a href="${way.href(pathname + search)}">${labels.signIn}</a>`;
}

async function pageMiddle(
  options: ReaderSiteOptions,
  { site, audience, path, query }: ReaderRequest,
  page: Page,
  view: Edition,
): Promise<Middle> {
  const { publicSite, publicUrl, links } = options;
  const { tree, addresses, labels } = view;
  const around = { tree, path: page.path, addresses, labels };
  const part = partOf(page, query);
  const outline = outlineOf(site, part.page);
  const linkTo = (target: string, fragment: string, rooted: string | undefined) =>
    addressIn(view, site, { path: target, fragment, rooted });
  const files = await filesOfPage(options, site, page);
  const main = html`${trailOf(around)}${foldedOutline(outline, labels)}
${await articleOf(site, part.page, { ...files, linkTo }, labels)}
${partsNavigation(part, (at) => readerAddress(addresses.page(page.path), at), labels)}
${isThinHome(tree, page) && (await sectionCards(options.pages, { site, audience }, view))}
${neighboursOf(around)}${await elsewhereOf(options.pages, site, page, view)}`;
  const root = `${publicUrl()}/sites/${site.domain}/`;
  const place = { site, audience, root, readerRoot: root };
  const isPublished = isShownToAnyone(site) && site.url === undefined;
  const link =
    isReadWithoutKey(site) &&
    publicSite.links(place, page, links.query(site, { path, groups: page.groups, ...choiceIn(query) }));
  return {
    path: page.path,
    title: page.title,
    description: page.description,
    main,
    outline,
    ...(link && { headers: { link } }),
    isCanonical: isPublished && path === page.path && query.size === 0,
  };
}

/** The name of a file, as a link in docs has it. */
const FILE = /\.[a-z][a-z0-9]{1,4}$/i;

/**
 * Where a link to a path of the site leads. Docent keeps pages alone: other files are where the site is published, and so are
 * the pages of other repositories that are published there, too.
 */
function addressIn(
  { navigation, tree, choice, addresses }: Edition,
  site: Site,
  { path: written, fragment, rooted }: { path: string; fragment: string; rooted: string | undefined },
): string | undefined {
  const path = navigation.linked(written, choice) ?? written;
  const here = (target: string, edition = {}) => readerAddress(addresses.page(target, edition), fragment);
  const moved = navigation.shows(path, choice) ? undefined : navigation.redirect(path, choice);
  if (moved !== undefined) return here(moved.path);
  // A link to a page in another language leads there, as it does where the docs are published.
  const other = navigation.shows(path, choice) ? undefined : navigation.editionOf(path);
  if (other !== undefined) return here(path, other);
  if (navigation.shows(path, choice) || tree.trail(path) !== undefined) return here(path);
  const near = navigation.inOtherCase(path, choice);
  if (near !== undefined) return here(near);
  const published = publishedAt(site, path);
  // What a page says of its own place may be a slip, and then the nearest pages are told here.
  if (!FILE.test(path) && (rooted === undefined || published === undefined)) return here(path);
  if (rooted !== undefined && !rooted.startsWith("/")) return rooted;
  const ending = FILE.test(path) ? "" : (/\.html?(?=[?#]|$)/i.exec(rooted ?? "")?.[0] ?? "");
  return published && published + ending + fragment;
}

const publishedAt = ({ url }: Site, path: string) =>
  url === undefined ? undefined : `${url}/${encodePath(path)}`;

/** Where else the page can be read. */
async function elsewhereOf(pages: PageStore, site: Site, page: Page, { addresses, labels }: Edition) {
  const address = publishedAt(site, page.path);
  const published =
    address !== undefined && html`<a href="${address}" rel="noopener noreferrer">${labels.published}</a>`;
  const markdown = isReadWithoutKey(site) && html`<a href="${addresses.markdown(page.path)}">Markdown</a>`;
  const source = await pages.sourceOf(page.id);
  const file = source && editAddress(source, page.location);
  const edit = file !== undefined && html`<a href="${file}" rel="noopener noreferrer">${labels.edit}</a>`;
  return (published || markdown || edit) && html`<footer>${published}${edit}${markdown}</footer>`;
}

/** What is in a folder without a page of its own, and at the root of a site without a first page. */
async function folderMiddle(
  { pages }: ReaderSiteOptions,
  { site, audience, path, query }: ReaderRequest,
  view: Edition,
): Promise<Middle | undefined> {
  const { tree, addresses, labels } = view;
  const folder = tree.trail(normalizePath(path))?.at(-1);
  if (!folder || (folder.children.length === 0 && folder.path !== "")) return undefined;
  const written = Number(query.get("list") ?? 0);
  const from = Number.isSafeInteger(written) && written > 0 ? written : 0;
  const title = folder.path === "" ? site.name : folder.title;
  const trail = trailOf({ tree, path: folder.path, addresses, labels });
  const cards =
    folder.path === "" && !query.has("list")
      ? await sectionCards(pages, { site, audience }, view)
      : undefined;
  const list = cards ?? folderList(folder, from, { addresses, labels });
  const main = html`${trail}<h1><bdi>${title}</bdi></h1>${list}`;
  return { path: folder.path, title, main };
}

/** Whoever has not signed in is told where: the same for a page that is for others, and one that is not there. */
function missingMiddle(
  { access }: Pick<ReaderSiteOptions, "access">,
  { site, path, request, signedIn }: ReaderRequest,
  { tree, addresses, labels }: Edition,
): Middle {
  const title = phrasesFor(site.settings.language, site.settings.phrases).pageNotFound;
  const nearest = tree.nearest(normalizePath(path));
  const { pathname, search } = new URL(request.url);
  const ways = (signedIn === undefined && isShownToAnyone(site) ? access.ways() : []).map(
    ({ label, href }) =>
      html`<p><a href="${href(pathname + search)}">${fill(labels.signInWith, { provider: label })}</a></p>`,
  );
  const found = nearest.length > 0 && html`<p>${labels.nearest}</p>${pageList(nearest, addresses)}`;
  return {
    path: undefined,
    title,
    main: html`<h1 class="missing">${title}</h1>${found}<p>${labels.missing}</p>${ways}`,
    status: 404,
  };
}
