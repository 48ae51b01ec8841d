import { cors } from "@elysiajs/cors";
import { decodePath } from "../pages/page-path.ts";
import type { SiteDirectory } from "../sites/directory.ts";

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
const PUBLIC_ROUTE = /^(?:\/discovery)?\/(?:v[12]\/assistant\/([^/]+)\/|v1\/(?:search|page)\/([^/]+)$)/;

/**
 * Lets pages of other origins call the public routes: with a key in a header, never with cookies. A site that lists
 * origins is open to those alone. Its answer has to be known at once, so it comes from the directory in memory.
 */
export function corsPlugin(directory: SiteDirectory, basePath: string) {
  return cors({
    credentials: false,
    methods: "POST, GET, OPTIONS",
    exposeHeaders: EXPOSED,
    maxAge: 600,
    origin(request) {
      const { pathname } = new URL(request.url);
      const route = pathname.startsWith(basePath) ? PUBLIC_ROUTE.exec(pathname.slice(basePath.length)) : null;
      if (!route) return false;
      const domain = decodePath(route[1] ?? route[2] ?? "");
      const byDomain = directory.byDomain(domain);
      const sites = byDomain ? [byDomain] : directory.byHost(domain.toLowerCase());
      const origin = request.headers.get("origin") ?? "";
      return sites.every(
        ({ settings }) => settings.origins.length === 0 || settings.origins.includes(origin),
      );
    },
  });
}
