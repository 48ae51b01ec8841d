import { readdirSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import type { Element } from "./built-site.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";
import { stubImports } from "./stub-imports.ts";

const PINS = JSON.stringify({ private: true, dependencies: { vitepress: "1.6.4", vue: "3.5.22" } });

const MENU = {
  isMenu: ({ classes }: Element) => classes.has("VPSidebar"),
  isItem: ({ classes }: Element) => classes.has("VPSidebarItem"),
  isLabel: ({ classes }: Element) => classes.has("text"),
};
const OUR_MENUS = [
  { page: "guide/index.html", label: ["English", "Guide"] },
  { page: "reference/config.html", label: ["English", "Reference"] },
  { page: "fr/index.html", label: "Français" },
];

/** VitePress with its own theme. */
export const vitepress: Judge = {
  name: "vitepress",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const folder = await siteFolder(source);
    if (isForeign) {
      const theme = join(folder, ".vitepress", "theme");
      for (const index of new Bun.Glob("index.*").scanSync({ cwd: await made(theme) }))
        await rm(join(theme, index));
      await Bun.write(join(theme, "index.mjs"), 'export { default } from "vitepress/theme";');
      await stubImports(source, folder, join(installed, "node_modules"));
      await stubPictures(folder);
      // Scripts of a site that says nothing about them are modules, too.
      await Bun.write(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      for (const loader of [...new Bun.Glob("**/*.data.{ts,js,mts,mjs}").scanSync({ cwd: folder })])
        if (!loader.includes("node_modules"))
          await Bun.write(join(folder, loader), "export default { load: () => ({}) };");
      await simplify(join(folder, ".vitepress"));
    } else await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    const program = join(installed, "node_modules", ".bin", "vitepress");
    await runBounded([program, "build", folder, "--outDir", into], { untilMs });
    const config = await configIn(folder);
    return {
      folder: into,
      generator: "VitePress 1.6.4",
      base: "/",
      leaves: (file) => file === "404.html",
      isContent,
      isTitle: ({ tag }) => tag === "title",
      titleIn: (title) => title.replace(/ \| [^|]*$/, ""),
      ...(config.includes("cleanUrls: true")
        ? { addressOf: (file: string) => file.replace(/(?:(?:^|\/)index)?\.html$/, "") }
        : {}),
      isMade: ({ classes }) => classes.has("table-of-contents"),
      menu: (isForeign ? await placesIn(into) : OUR_MENUS).map((place) => ({ ...MENU, ...place })),
      isThemeHeading: ({ classes }) => classes.has("heading") || classes.has("title"),
      isNoise: ({ classes }) => classes.has("header-anchor") || classes.has("VPBadge"),
    };
  },
};

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}

const PICTURE = /["'(](\/[\w./-]+\.(?:svg|png|webp|jpe?g|gif|mp4))/g;

/** Puts empty pictures where pages show some that are not there. */
async function stubPictures(folder: string): Promise<void> {
  for (const file of new Bun.Glob("**/*.{md,vue}").scanSync({ cwd: folder, dot: true }))
    for (const [, picture = ""] of (await Bun.file(join(folder, file)).text()).matchAll(PICTURE)) {
      const place = Bun.file(join(folder, "public", picture));
      if (!(await place.exists())) await Bun.write(place, " ");
    }
}

/** Takes out of a configuration what only changes looks, and what wants pictures that are not there. */
async function simplify(folder: string): Promise<void> {
  const top = readdirSync(folder).find((name) => /^config(?:\.\w+)?$/.test(name)) ?? "";
  const own = top.replace(/^config/, "own");
  await rename(join(folder, top), join(folder, own));
  const from = top === "config" ? "./own/index" : `./${own}`;
  await Bun.write(
    join(folder, "config.ts"),
    `import given from "${from}";
export * from "${from}";
const config = typeof given === "function" ? await given() : await given;
const noAssets = { template: { transformAssetUrls: false } };
const missing = { name: "missing", enforce: "pre",
  async resolveId(id, from, options) {
    if (id.includes("\\0") || !from || await this.resolve(id, from, { ...options, skipSelf: true }).catch(() => null)) return null;
    return "\\0missing";
  },
  load: (id) => id === "\\0missing" ? { code: "export default {}", syntheticNamedExports: true } : null,
};
const { anchor, container } = config.markdown ?? {};
export default { ...config, themeConfig: { ...config.themeConfig, search: undefined }, markdown: { anchor, container }, vue: noAssets, vite: { plugins: [missing] }, ignoreDeadLinks: true,
  buildEnd: undefined, transformHead: undefined, transformPageData: undefined, sitemap: undefined };
`,
  );
}

async function siteFolder(source: string): Promise<string> {
  const [found = ""] = [
    ...new Bun.Glob("**/.vitepress/config*").scanSync({ cwd: source, dot: true, onlyFiles: false }),
  ]
    .filter((each) => !each.includes("node_modules"))
    .sort((a, b) => a.length - b.length);
  return join(source, found.replace(/\/?\.vitepress\/.*$/, ""));
}

async function configIn(folder: string): Promise<string> {
  const scripts = [...new Bun.Glob(".vitepress/**/*.{ts,mts,js,mjs}").scanSync({ cwd: folder, dot: true })];
  return (await Promise.all(scripts.map((each) => Bun.file(join(folder, each)).text()))).join("\n");
}

const isContent = ({ classes }: Element) => ["VPHome", "vp-doc", "VPPage"].some((name) => classes.has(name));

const ACTIVE = /VPNavBarMenuLink[^"]*\bactive\b[^>]*>(?:<[^>]*>|\s)*([^<]+)</;

/**
 * A page for each menu of a site, with the name at the top that is marked on it. One that nothing there leads to is
 * called after its folder, and stands last.
 */
async function placesIn(folder: string): Promise<{ page: string; label?: string }[]> {
  const found = new Map<string, { page: string; label: string; at: number }>();
  for (const page of [...new Bun.Glob("**/*.html").scanSync({ cwd: folder })].sort()) {
    const html = await Bun.file(join(folder, page)).text();
    const words = (SIDEBAR.exec(html)?.[0] ?? "").replace(/<[^>]*>/g, "");
    if (words === "" || found.has(words)) continue;
    const [, label = nameOfFolder(page)] = ACTIVE.exec(html) ?? [];
    const at = html.search(ACTIVE);
    found.set(words, { page, label, at: at < 0 ? Number.MAX_SAFE_INTEGER : at });
  }
  const places = [...found.values()].sort((a, b) => a.at - b.at);
  // The only menu is that of all pages.
  return places.map(({ page, label }) => (places.length === 1 ? { page } : { page, label }));
}

const SIDEBAR = /<aside[^>]*VPSidebar[\s\S]*?<\/aside>/;
const nameOfFolder = (page: string) => {
  const name = page.split("/")[0]?.replace(/[-_]+/g, " ") ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
};
