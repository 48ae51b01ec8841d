import { readdirSync } from "node:fs";
import { cp, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";
import { type BuiltSite, pathOf } from "./built-site.ts";
import { CONFIG, type GivenSite, PLUGIN } from "./docusaurus-config.ts";
import type { Judge } from "./judge.ts";
import type { PublishedEntry } from "./published.ts";
import { stubImports } from "./stub-imports.ts";

const VERSION = "3.10.2";

const PINS = `${JSON.stringify(
  {
    private: true,
    dependencies: {
      "@docusaurus/core": VERSION,
      "@docusaurus/plugin-content-blog": VERSION,
      "@docusaurus/plugin-content-docs": VERSION,
      "@docusaurus/plugin-content-pages": VERSION,
      "@docusaurus/theme-classic": VERSION,
      "@mdx-js/react": "3.1.1",
      react: "19.2.0",
      "react-dom": "19.2.0",
    },
  },
  null,
  2,
)}\n`;

/** Docusaurus with its classic theme. The preset itself wants a search service's packages. */
export const docusaurus: Judge = {
  name: "docusaurus",
  pins: PINS,
  async install(folder, untilMs) {
    if (Bun.which("npm") === null) throw new NotHere("there is no npm on the PATH");
    await Bun.write(join(folder, "package.json"), PINS);
    await runBounded(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder], {
      untilMs,
    });
  },
  async build({ installed, source, into, untilMs, isForeign }) {
    const site = siteFolder(source);
    if (isForeign) {
      await stubImports(source, source, join(installed, "node_modules"), SHOWS_CHILDREN);
      await simplify(source, site);
    } else {
      await symlink(join(installed, "node_modules"), join(source, "node_modules"));
      await cp(join(installed, "package.json"), join(source, "package.json"));
    }
    await addPlugin(site, isForeign);
    const program = join(installed, "node_modules", "@docusaurus", "core", "bin", "docusaurus.mjs");
    const environment = { DOCUSAURUS_NO_PERSISTENT_CACHE: "1" };
    await runBounded(["node", program, "build", site, "--out-dir", into], {
      untilMs,
      environment,
      folder: site,
    });
    return builtSite(into, await givenSites(site));
  },
};

const CONFIG_NAME = /^docusaurus\.config\.[cm]?[jt]s$/;

/** The folder of the outermost configuration. */
function siteFolder(source: string): string {
  const [found = ""] = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => CONFIG_NAME.test(basename(file)) && !file.includes("node_modules"))
    .sort((a, b) => a.length - b.length);
  return dirname(join(source, found));
}

/** Has the generator say what it gives to its theme. */
async function addPlugin(site: string, isForeign: boolean): Promise<void> {
  const name = readdirSync(site).find((file) => CONFIG_NAME.test(file)) ?? "";
  const own = name.replace("docusaurus", "own");
  await rename(join(site, name), join(site, own));
  const text = await Bun.file(join(site, own)).text();
  // Packages that are not there cannot be looked for: their names do.
  await Bun.write(join(site, own), text.replace(/\brequire\.resolve\((["'][^."'][^"']*["'])\)/g, "$1"));
  await Bun.write(join(site, "given-site.mjs"), PLUGIN);
  await Bun.write(join(site, "docusaurus.config.mjs"), CONFIG(own, isForeign));
}

/** What a component shows that is not there: what is in it. */
const SHOWS_CHILDREN = "(given) => given?.children ?? null";

/** What of somebody's site is not installed is left out: its own theme, and pages that are programs. */
async function simplify(source: string, site: string): Promise<void> {
  await rm(join(site, "src", "theme"), { recursive: true, force: true });
  for (const page of new Bun.Glob("src/pages/**/*.{js,jsx,ts,tsx}").scanSync({ cwd: site }))
    await rm(join(site, page));
  const names = new Set<string>();
  for (const file of new Bun.Glob("**/*.{md,mdx}").scanSync({ cwd: source }))
    if (!file.includes("node_modules"))
      for (const [, name = ""] of (await Bun.file(join(source, file)).text()).matchAll(/<([A-Z]\w*)/g))
        names.add(name);
  await Bun.write(
    join(site, "src", "theme", "MDXComponents.js"),
    `import own from "@theme-original/MDXComponents";
const shown = ({ children }) => children ?? null;
export default { ...Object.fromEntries(${JSON.stringify([...names])}.map((name) => [name, shown])), ...own };
`,
  );
}

/** What the generator said of each language, the main one first. */
async function givenSites(site: string): Promise<GivenSite[]> {
  const files = readdirSync(site).filter((file) => /^given-site-.*\.json$/.test(file));
  const said: GivenSite[] = await Promise.all(files.map((file) => Bun.file(join(site, file)).json()));
  return said.sort((a, b) => a.order - b.order);
}

function builtSite(into: string, sites: readonly GivenSite[]): BuiltSite {
  const [main] = sites;
  const base = main?.baseUrl ?? "/";
  const below = (permalink: string) => decodeURI(permalink).slice(base.length).replace(/\/$/, "");
  const published = new Set<string>();
  // Pages of the main language that others show.
  const shown = new Map<string, string>();
  for (const { pages, indexes, baseUrl, isMain } of sites) {
    const isTranslated = isMain || pages.some(({ isOwn }) => isOwn);
    for (const { permalink, isOwn } of pages)
      if (isOwn) published.add(below(permalink));
      else shown.set(below(permalink), below(base + permalink.slice(baseUrl.length)));
    for (const index of isTranslated ? indexes : []) published.add(below(index));
  }
  const pathAt = (file: string) => {
    const whole = file.replace(/\.html$/, "");
    return published.has(whole) ? whole : pathOf(file).replace(/\.html$/, "");
  };
  const addressOf = (file: string) => shown.get(pathAt(file)) ?? pathAt(file);
  const entriesOfMenu = ({ label, items }: GivenSite["menus"][number]): PublishedEntry[] =>
    label === undefined ? entriesOf(items) : [{ label, children: entriesOf(items) }];
  const entriesOf = (items: GivenSite["menus"][number]["items"]): PublishedEntry[] =>
    items.map(({ label, href, items: inside }) => ({
      label,
      ...(href?.startsWith(base) ? { path: shown.get(below(href)) ?? below(href) } : {}),
      children: entriesOf(inside),
    }));
  const menus = sites
    .filter(({ isMain, pages }) => isMain || pages.some(({ isOwn }) => isOwn))
    .map(({ label, menus }) => ({ label, children: menus.flatMap((menu) => entriesOfMenu(menu)) }));
  return {
    folder: into,
    generator: `Docusaurus ${VERSION}`,
    base,
    leaves: (file) => !published.has(pathAt(file)),
    addressOf,
    // Of a page that lists a category, its cards.
    isContent: ({ tag, classes }) =>
      classes.has("markdown") ||
      hasClass(classes, "mdxPageWrapper") ||
      (tag === "article" && classes.has("margin-top--lg")),
    isTitle: ({ tag }) => tag === "title",
    titleIn: (words) => words.replace(/ \| [^|]*$/, ""),
    givenMenu: menus.length === 1 ? (menus[0]?.children ?? []) : menus,
    isThemeHeading: ({ tag, id }) => tag === "h1" && id === undefined,
    isNoise: ({ classes }) => classes.has("hash-link") || classes.has("table-of-contents__link"),
  };
}

/** Classes of the theme's own styles end in a hash. */
const hasClass = (classes: ReadonlySet<string>, name: string) =>
  [...classes].some((each) => each === name || each.startsWith(`${name}_`));
