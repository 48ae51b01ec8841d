import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { Site } from "@docent/sites/site/sites";
import { cors } from "@elysiajs/cors";
import { type GuardDeps, isOpenTo } from "./guard/guard.ts";
import { isOpenaiRoute } from "./openai/errors.ts";

const EXPOSED = [
  "x-thread-id",
  "x-message-id",
  "x-request-id",
  "x-vercel-ai-data-stream",
  "x-vercel-ai-ui-message-stream",
  "deprecation",
  "link",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "retry-after",
];
/** The routes that pages of other origins may call. The last part is the site's domain. */
const PUBLIC_ROUTE =
  /^(?:\/discovery)?\/(?:v[12]\/assistant\/([^/]+)\/|v1\/(?:search|page|feedback|hand-over|events|widget)\/([^/]+)$)/;
/** Where agents, which may be pages too, read where to get an access token. */
const RESOURCE_METADATA = /^\/\.well-known\/oauth-protected-resource\/mcp\/[^/]+$/;

/**
 * Lets pages of other origins call the public routes: with a key in a header, never with cookies. A site that lists
 * origins is open to those alone. Its answer has to be known at once, so it comes from the directory in memory.
 */
export function corsPlugin(
  { directory, readerPasses }: Pick<GuardDeps, "directory" | "readerPasses">,
  basePath: string,
) {
  return cors({
    credentials: false,
    methods: "POST, GET, OPTIONS",
    exposeHeaders: EXPOSED,
    maxAge: 600,
    origin(request) {
      const { pathname } = new URL(request.url);
      const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : "";
      const origin = request.headers.get("origin") ?? "";
      // Which site is meant stands in the body: the route itself refuses a page that another site alone is open to.
      if (isOpenaiRoute(path)) return directory.all().some((site) => isOpenTo(site, origin));
      // This route names no site, so there is no list of origins to ask.
      if (RESOURCE_METADATA.test(path)) return true;
      const route = PUBLIC_ROUTE.exec(path);
      if (!route) return false;
      const domain = decodePercent(route[1] ?? route[2] ?? "");
      // Who is asked for, the key tells, which is not here yet: nobody's site may close another one of that name.
      const named = directory.byDomain(domain);
      const sites = [...(named ? [named] : []), ...directory.byHost(domain.toLowerCase())];
      const isOpen = (site: Site) =>
        isOpenTo(site, origin) || readerPasses.isFromReader(site, origin, request.url);
      return sites.length === 0 || sites.some(isOpen);
    },
  });
}
