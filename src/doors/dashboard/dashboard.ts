import { AppError } from "@docent/kernel/errors";
import type { SiteDirectory } from "@docent/sites/site/directory";
import { Elysia } from "elysia";
import type { Assets } from "../assets.ts";
import { checkSentHere, type HostMatcher, hostNameOf } from "../guard/guard.ts";

interface DashboardOptions {
  assets: Assets;
  directory: SiteDirectory;
  basePath: string;
  /** The host names under which it answers. */
  isNamedHost: HostMatcher;
  /** Where the server is reached from outside. Known once it listens. */
  publicUrl: () => string;
}

/** The app's own addresses. It finds out in the browser what is at each. */
const PAGES = [
  "/",
  "/new",
  "/sign-in",
  "/members",
  "/account",
  "/notices",
  "/audit",
  "/server",
  "/dashboard",
  "/dashboard/*",
];

/** Nothing is loaded from elsewhere, nothing is sent elsewhere, and no page frames it. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "x-robots-tag": "noindex",
  "cache-control": "no-cache",
};
const UNNAMED_HEADERS = {
  ...HEADERS,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** The dashboard: one document at all of its addresses. */
export function dashboardRoutes(options: DashboardOptions) {
  const routes = new Elysia();
  for (const path of PAGES) routes.get(path, ({ request }) => show(options, request));
  return routes;
}

/** Whether a page of the dashboard is asked for under a site's own name, where there is none. */
export function isHiddenPage(directory: SiteDirectory, path: string, request: Request): boolean {
  const isPage = PAGES.includes(path) || path.startsWith("/dashboard/");
  return isPage && directory.byHostName(hostNameOf(request.headers.get("host")) ?? "") !== undefined;
}

async function show(options: DashboardOptions, request: Request): Promise<Response> {
  const { assets, directory, basePath, isNamedHost, publicUrl } = options;
  const host = request.headers.get("host") ?? "";
  const hostName = hostNameOf(host) ?? "";
  if (!isNamedHost(hostName)) {
    // Under a site's own name there is that site, and nothing else is known.
    if (directory.byHostName(hostName)) throw new AppError("not_found", "Not found");
    return new Response(unnamedHostDocument(host), { status: 403, headers: UNNAMED_HEADERS });
  }
  checkSentHere(request, isNamedHost, publicUrl());
  const [script, style] = await Promise.all([
    assets.named("dashboard", "js"),
    assets.named("dashboard", "css"),
  ]);
  return new Response(dashboardDocument({ basePath, script, style }), { headers: HEADERS });
}

/** What the dashboard's document needs: the names of its files, and where addresses begin. */
interface DashboardDocument {
  basePath: string;
  script: string;
  style: string;
}

/** The icon in the browser's tab. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 26 26'%3E%3Crect width='26' height='26' rx='7' fill='%232456c9'/%3E%3Cpath d='M7 7.5h12v9.5h-6.5l-3.5 3v-3h-2z' fill='%23fff'/%3E%3C/svg%3E";

/** The document in which the dashboard runs. It holds nothing of anybody: what it shows, it asks for. */
function dashboardDocument({ basePath, script, style }: DashboardDocument): string {
  const asset = (name: string) => Bun.escapeHTML(`${basePath}/assets/${name}`);
  // Rendering waits for the script, which sets the theme: without that, a page chosen to be dark would flash light.
  const head = [
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="robots" content="noindex">`,
    `<meta name="docent-base" content="${Bun.escapeHTML(basePath)}">`,
    `<title>Docent</title>`,
    `<link rel="icon" href="${ICON}">`,
    `<link rel="stylesheet" href="${asset(style)}">`,
    `<script type="module" src="${asset(script)}" blocking="render"></script>`,
  ];
  const noScript =
    "<noscript><p>Docent’s dashboard needs JavaScript, which is switched off in this browser. Allow it for this address, or use the <code>docent</code> command on the server: it does the same.</p></noscript>";
  return `<!doctype html><html lang="en"><head>${head.join("")}</head><body><div id="app"></div>${noScript}</body></html>`;
}

/** The page that is shown under a host name that the operator did not name. */
function unnamedHostDocument(host: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Not served here · Docent</title></head><body><h1>Docent does not answer under this name</h1><p>The dashboard was asked for as <code>${Bun.escapeHTML(host)}</code>. It answers only under names that whoever runs this server has given it, so that no other site’s page can reach it by a name of its own.</p><p>If you run the server, set <code>--public-url</code> to the address that people use, or name the host with <code>--admin-hosts</code>, and start it again.</p></body></html>`;
}
