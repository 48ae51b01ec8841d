import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "../../test/e2e/browser.ts";
import { NotHere, runBounded } from "../bounded.ts";
import type { Judge } from "./judge.ts";

const VERSIONS = { docsify: "npm:docsify@5.0.0", "docsify-4": "npm:docsify@4.13.1" };
const PROGRAMS = { docsify: "dist/docsify.js", "docsify-4": "lib/docsify.js" };
const PINS = JSON.stringify({ private: true, dependencies: VERSIONS });

/** Docsify shows Markdown in the browser, and writes no HTML: its pages are taken from a browser that shows them. */
const judgeOf = (name: keyof typeof VERSIONS): Judge => ({
  name,
  installedAs: "docsify",
  pins: PINS,
  async install(folder, untilMs) {
    await Bun.write(join(folder, "package.json"), PINS);
    await runBounded(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"], { untilMs, folder });
  },
  async build({ installed, source, into }) {
    const program = join(installed, "node_modules", name, PROGRAMS[name]);
    const routes = await writeShown(source, program, into);
    const menus = routes.filter(({ menu }) => menu !== undefined);
    return {
      folder: into,
      generator: `Docsify ${VERSIONS[name].replace(/^.*@/, "")}`,
      base: "/",
      isContent: ({ tag }) => tag === "article",
      isOwnLink: ({ classes }) => classes.has("anchor"),
      menu: menus.map(({ path, menu = "" }) => ({
        page: join(path, "index.html"),
        ...(menu === "" ? {} : { label: menu }),
        isMenu: ({ tag }) => tag === "nav",
        isCaption: ({ tag }) => tag === "h2",
      })),
    };
  },
});

export const docsify: readonly Judge[] = [judgeOf("docsify"), judgeOf("docsify-4")];

/** A page as it was shown. */
interface Shown {
  path: string;
  /** What its menu is called: "" for that of the first page, undefined where another page has the same one. */
  menu: string | undefined;
}

async function writeShown(source: string, program: string, into: string): Promise<Shown[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new NotHere("there is no Chromium");
  const missing = new Set<string>();
  const server = serve(source, program, missing);
  const browser = await chromium.launch({
    executablePath,
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const page = await browser.newPage();
    return await visitAll({ page, root: `http://127.0.0.1:${server.port}/`, missing }, source, into);
  } finally {
    await browser.close();
    await server.stop(true);
  }
}

/** The site on this machine, with the program that was installed in place of the one from elsewhere. */
function serve(source: string, program: string, missing: Set<string>) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const pathname = decodeURIComponent(new URL(request.url).pathname);
      if (pathname === "/.docsify.js") return new Response(Bun.file(program));
      const place = join(source, pathname === "/" ? "index.html" : pathname);
      const file = Bun.file(place);
      if (!place.startsWith(source) || !(await file.exists())) {
        missing.add(pathname);
        return new Response("", { status: 404 });
      }
      if (!place.endsWith("index.html")) return new Response(file);
      const html = await file.text();
      const own = html.replace(
        /<script\b[^>]*\bsrc=["']?[^"'>]*docsify(?:@[^/"'>]*)?\/(?:lib|dist)\/docsify[^"'>]*["']?[^>]*>/gi,
        '<script src="/.docsify.js">',
      );
      return new Response(own, { headers: { "content-type": "text/html" } });
    },
  });
}

/** A browser, and what of the site it asked for in vain. */
interface Browsing {
  page: Page;
  root: string;
  missing: Set<string>;
}

async function visitAll({ page, root, missing }: Browsing, source: string, into: string): Promise<Shown[]> {
  const files = [...new Bun.Glob("**/*.md").scanSync(source)].sort();
  const shown: Shown[] = [];
  const menus = new Set<string>();
  // An alias shows the page of another address: links to it are links to that page.
  const sameAs = new Map<string, string>();
  const pages: { path: string; html: string; menu: string; title: string }[] = [];
  const seen = new Set<string>();
  const open = files
    .filter((file) => !/(?:^|\/)_(?:sidebar|navbar|coverpage|404)\.md$/.test(file))
    .map((file) => `/${file.replace(/README\.md$|\.md$/, "")}`);
  open.unshift("/");
  const byFile = new Map<string, string>();
  for (let route = open.shift(); route !== undefined; route = open.shift()) {
    if (seen.has(route)) continue;
    seen.add(route);
    missing.clear();
    const found = await showAt(page, `${root}?${seen.size}#${encodeURI(route)}`);
    if (found === undefined || [...missing].some((each) => each.endsWith(`/${found.file}`))) continue;
    const path = route.replace(/^\/|\/$/g, "");
    const first = byFile.get(found.file);
    if (first !== undefined) sameAs.set(path, first);
    else {
      byFile.set(found.file, path);
      pages.push({ ...found, path });
    }
    open.push(...found.routes.map((each) => decodeURI(each)));
  }
  for (const { path, html, menu, title } of pages.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const isNew = menu !== "" && !menus.has(menu);
    menus.add(menu);
    const label = path === "" ? "" : await navigationLabel(page, path);
    shown.push({ path, menu: isNew ? label : undefined });
    const whole = `<title>${Bun.escapeHTML(title)}</title><nav>${menu}</nav><article>${html}</article>`;
    await Bun.write(join(into, path, "index.html"), plainLinks(whole, sameAs));
  }
  return shown;
}

/** What the bar at the top calls a page. */
const navigationLabel = (page: Page, path: string) =>
  page.evaluate(
    (href) => document.querySelector(`nav.app-nav a[href="${href}"]`)?.textContent ?? href,
    `#/${path}/`,
  );

/** Links between pages as other sites write them. Any others lead out of what Docsify shows. */
function plainLinks(html: string, sameAs: ReadonlyMap<string, string>): string {
  return html.replace(/<a\b([^>]*?)\shref="([^"]*)"/g, (_, before: string, href: string) => {
    const [, route, id] = /^#(\/[^?"]*)(?:\?(?:[^"]*&amp;|)id=([^&"]*))?/.exec(href) ?? [];
    if (route === undefined) return `<a${before} data-away="${href}"`;
    const path = decodeURI(route).replace(/^\/|\/$/g, "");
    return `<a${before} href="/${encodeURI(sameAs.get(path) ?? path)}${id === undefined ? "" : `#${id}`}"`;
  });
}

interface Found {
  file: string;
  html: string;
  menu: string;
  title: string;
  /** The addresses that it links to. */
  routes: string[];
}

const SHOWN_MAX_MS = 5000;

/** A page as it is shown at an address; undefined where there is none. */
async function showAt(page: Page, address: string): Promise<Found | undefined> {
  await page.goto(address);
  const isShown = () =>
    (document.querySelector("article")?.childNodes.length ?? 0) > 1 ||
    document.querySelector("article h1") !== null;
  // What an alias takes from elsewhere is never shown here.
  const wasShown = await page
    .waitForFunction(isShown, undefined, { timeout: SHOWN_MAX_MS })
    .catch(() => undefined);
  if (wasShown === undefined) return undefined;
  await page.waitForLoadState("networkidle");
  return page.evaluate(() => {
    const article = document.querySelector("article")?.cloneNode(true);
    const nav = document.querySelector(".sidebar-nav")?.cloneNode(true);
    const heading = document.querySelector("article > h1")?.textContent ?? "";
    if (!(article instanceof HTMLElement) || !(nav instanceof HTMLElement) || /^404/.test(heading))
      return undefined;
    const compiler: unknown = Reflect.get(window, "__current_docsify_compiler__");
    const router: unknown = compiler instanceof Object ? Reflect.get(compiler, "router") : undefined;
    const parse: unknown = router instanceof Object ? Reflect.get(router, "parse") : undefined;
    const route: unknown = typeof parse === "function" ? parse.call(router) : undefined;
    const file: unknown = route instanceof Object ? Reflect.get(route, "file") : undefined;
    // What a page is called in the menu is its title in the browser, where it has no heading that says it.
    const stem = String(file).replace(/^.*\//, "").replace(/\.md$/, "");
    const menuLinks = [...document.querySelectorAll(".sidebar-nav a")];
    const title = menuLinks.find((link) => link.getAttribute("href") === location.hash)?.textContent ?? stem;
    for (const made of nav.querySelectorAll(".app-sub-sidebar")) made.remove();
    for (const link of nav.querySelectorAll("[title], [class], [aria-current]"))
      for (const name of ["title", "class", "aria-current"]) link.removeAttribute(name);
    const links = [...article.querySelectorAll("a"), ...nav.querySelectorAll("a")];
    const routes = links.flatMap((link) => /^#(\/[^?]*)/.exec(link.getAttribute("href") ?? "")?.[1] ?? []);
    return {
      file: decodeURI(String(file)).replace(/^\/+/, ""),
      html: article.innerHTML,
      menu: nav.innerHTML,
      title,
      routes,
    };
  });
}
