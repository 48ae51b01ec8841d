import { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import type { SiteDirectory } from "../../sites/directory.ts";
import type { Assets } from "../assets.ts";
import { checkSentHere, type HostMatcher, hostNameOf } from "../guard/guard.ts";
import { dashboardDocument, unnamedHostDocument } from "./document.ts";

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
