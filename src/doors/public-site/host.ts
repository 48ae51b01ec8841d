import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { findPage, type PageFilter, type PageStore } from "@docent/sites/pages/pages";
import type { SiteDirectory } from "@docent/sites/site/directory";
import { isReadWithoutKey, wantsSignIn } from "@docent/sites/site/sites";
import { Elysia } from "elysia";
import { wrongMethod } from "../errors.ts";
import { hostNameOf, type SiteReaders } from "../guard/guard.ts";
import type { MeasuredReplies } from "../metrics.ts";
import type { PublicPlace, PublicSite } from "./public-site.ts";

interface PublicHostOptions {
  directory: SiteDirectory;
  pages: PageStore;
  publicSite: PublicSite;
  readers: SiteReaders;
  basePath: string;
  /** Where the server is reached: a host name of a site is reached the same way, http or https. */
  publicUrl: () => string;
  /** What hears of replies: those that are given before the routes would not be counted otherwise. */
  observeReply?: MeasuredReplies["observeReply"] | undefined;
  clock: Clock;
}

const READS = ["GET", "HEAD"];
/** Routes that name a site in their address, and ask for no key or need not. */
const OF_SITE = /^\/(?:sites|mcp)\/([^/]+)/;

/**
 * The root of a host name that the operator gave to a site: its llms.txt, llms-full.txt and pages as Markdown. What of
 * other sites needs no key is not there. It looks at requests before the routes do, because a page may be called as one
 * of them is.
 */
export function publicHostPlugin({
  directory,
  basePath,
  observeReply,
  clock,
  ...options
}: PublicHostOptions) {
  return new Elysia().onRequest(async ({ request, server }) => {
    const began = clock();
    const host = request.headers.get("host");
    // The address is made of it: nothing behind this has to ask whether it can be read.
    const pathname = URL.parse(request.url)?.pathname;
    if (pathname === undefined) throw new AppError("invalid_request", "The header host names no host.");
    const site = directory.byHostName(hostNameOf(host) ?? "");
    if (!site || !pathname.startsWith(`${basePath}/`)) return;
    const path = pathname.slice(basePath.length);
    const named = OF_SITE.exec(path)?.[1];
    if (named !== undefined && decodePercent(named) !== site.domain)
      throw new AppError("not_found", "Not found");
    const name = path.slice(1);
    if (named !== undefined || !isReadWithoutKey(site) || !isText(name)) return;
    const { audience } = await options.readers.admit(
      request,
      site,
      server?.requestIP(request)?.address ?? "",
    );
    const scheme = URL.parse(options.publicUrl())?.protocol ?? "http:";
    const root = `${new URL(`${scheme}//${host}`).origin}${basePath}/`;
    const readerRoot = `${root}sites/${site.domain}/`;
    const reply = await answer(options, { site, audience, root, readerRoot }, name, request);
    if (wantsSignIn(site)) reply?.headers.set("cache-control", "private, no-cache");
    if (reply && !READS.includes(request.method)) throw wrongMethod(READS);
    if (reply) {
      const route = path.endsWith(".md") ? "/*.md" : path;
      const seconds = (clock() - began) / 1000;
      observeReply?.({ method: request.method, route, status: String(reply.status), seconds });
    }
    return reply;
  });
}

/** What may be at the root of a site's host name. What is not is somebody else's, and nobody has to sign in for it. */
const isText = (name: string) =>
  name.endsWith(".md") || /^(?:llms(?:-full)?\.txt|robots\.txt|sitemap(?:-\d+)?\.xml)$/.test(name);

async function answer(
  { pages, publicSite }: Pick<PublicHostOptions, "pages" | "publicSite">,
  place: PublicPlace,
  name: string,
  request: Request,
): Promise<Response | undefined> {
  const list = await publicSite.list(place, name, request);
  if (list !== undefined || !name.endsWith(".md")) return list;
  const query = new URL(request.url).searchParams;
  const asked = { version: query.get("version") ?? undefined, language: query.get("language") ?? undefined };
  const page = await pageAsked(pages, place, decodePercent(name), asked);
  return page && publicSite.markdown(place, page, request);
}

function pageAsked(pages: PageStore, { site, audience }: PublicPlace, path: string, asked: PageFilter) {
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  return findPage(pages, site.id, path, { asked, defaults: { version, language }, audience });
}
