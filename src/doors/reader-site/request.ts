import type { Audience } from "@docent/sites/pages/audience";
import type { ImageStore } from "@docent/sites/pages/images";
import type { Navigation } from "@docent/sites/pages/navigation/navigation";
import { findPage, type Page, type PageStore } from "@docent/sites/pages/pages";
import type { SiteDirectory } from "@docent/sites/site/directory";
import type { Site } from "@docent/sites/site/sites";
import type { Assets } from "../assets.ts";
import type { ReaderPasses, SiteReaders } from "../guard/guard.ts";
import type { PublicSite } from "../public-site/public-site.ts";
import type { ReaderAccess, SignedInReader } from "./access/access.ts";
import { type ReaderChoice, themeIn } from "./addresses.ts";
import { plainDocument, type ReaderFiles } from "./document.ts";
import { PLAIN_HEADERS } from "./headers.ts";
import type { ReaderSearch } from "./search.ts";
import type { ReaderLinks } from "./signed-links.ts";
import type { ReaderWidget } from "./widget-tag.ts";

export interface ReaderSiteOptions {
  directory: SiteDirectory;
  pages: PageStore;
  images: ImageStore;
  navigation: Navigation;
  search: ReaderSearch;
  widget: ReaderWidget;
  links: ReaderLinks;
  access: ReaderAccess;
  readers: SiteReaders;
  passes: ReaderPasses;
  assets: Assets;
  basePath: string;
  /** Where the server is reached from outside. Known once it listens. */
  publicUrl: () => string;
  publicSite: PublicSite;
  /** A number that nobody can guess, for one response. */
  nonce: () => string;
}

/** A request for something of a site on the reader site. */
export interface ReaderRequest {
  site: Site;
  /** Who reads: what is not for them is not there. */
  audience: Audience;
  /** Undefined where nobody has signed in here as a reader. */
  signedIn?: SignedInReader | undefined;
  /** As the address has it, without slashes around it. */
  path: string;
  query: URLSearchParams;
  request: Request;
  peer: string | undefined;
}

/** Below a site: signs its reader out. No page is called so. */
export const SIGN_OUT = "~sign-out";

/** In the address that somebody comes back to who could not sign in with a provider. */
export const SIGN_IN_FAILED = "sign-in-failed";

/**
 * The page that is asked for; undefined for a hidden one too. Where none is in the language that the reader chose, it is one
 * in its own: links keep the choice, and may lead to a page in another language.
 */
export async function pageAsked(
  pages: PageStore,
  { site, audience, path, query }: ReaderRequest,
): Promise<Page | undefined> {
  const defaults = { version: site.settings.defaultVersion, language: site.settings.defaultLanguage };
  const { version, language } = choiceIn(query);
  const found = await findPage(pages, site.id, path, { asked: { version, language }, defaults, audience });
  return found ?? findPage(pages, site.id, path, { asked: { version }, defaults, audience });
}

/** The version, language and theme that an address names. */
export const choiceIn = (query: URLSearchParams): ReaderChoice => ({
  version: query.get("version") ?? undefined,
  language: query.get("language") ?? undefined,
  theme: themeIn(query),
});

/** The addresses of the style and the script that every page loads. */
export async function filesOfPages({
  assets,
  basePath,
}: Pick<ReaderSiteOptions, "assets" | "basePath">): Promise<ReaderFiles> {
  const [style, script] = await Promise.all([assets.named("reader", "css"), assets.named("reader", "js")]);
  return { style: `${basePath}/assets/${style}`, script: `${basePath}/assets/${script}` };
}

/** The page for everything that is not there, or not to be shown: one sentence, the same for both. */
export async function notFoundPage(
  options: Pick<ReaderSiteOptions, "assets" | "basePath">,
  { language, text }: { language: string; text: string },
): Promise<Response> {
  const { style } = await filesOfPages(options);
  const signIn = `${options.basePath}/sign-in`;
  return new Response(plainDocument(language, text, { style, signIn }), {
    status: 404,
    headers: PLAIN_HEADERS,
  });
}
