import { readdirSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runBounded } from "../bounded.ts";
import { type Element, pathOf } from "./built-site.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({
  private: true,
  type: "module",
  dependencies: { "@astrojs/starlight": "0.42.4", astro: "7.3.5", sharp: "0.34.4", node: "22.23.3" },
});

const MENU = {
  isMenu: ({ tag, classes }: Element) => tag === "ul" && classes.has("top-level"),
};
const OUR_MENUS = [
  { page: "begin/index.html", label: "English" },
  { page: "fr/begin/index.html", label: "Français" },
];

/** Starlight, the docs theme of Astro. */
export const starlight: Judge = {
  name: "starlight",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    // Astro does not find its own files through a link: the site stands beside what is installed.
    const copy = join(installed, "site");
    await rm(copy, { recursive: true, force: true });
    await cp(source, copy, { recursive: true });
    const site = siteFolder(copy);
    if (isForeign) await simplify(site);
    const astro = join(installed, "node_modules", "astro", "bin", "astro.mjs");
    const node = join(installed, "node_modules", ".bin", "node");
    await runBounded([node, astro, "build", "--root", site, "--outDir", into], {
      untilMs,
      folder: site,
      environment: { ASTRO_TELEMETRY_DISABLED: "1" },
    });
    const untranslated = await untranslatedIn(into);
    const menus = isForeign ? await placesIn(into, untranslated) : OUR_MENUS;
    return {
      folder: into,
      generator: "Starlight 0.42.4, Astro 7.3.5",
      base: "/",
      leaves: (file) => /(?:^|\/)404\.html$/.test(file) || untranslated.has(file),
      addressOf: (file) => {
        const page = file
          .replace(/(?:\/|^)(?:index\.html)?$/, (end) => (end === "" ? "" : "/index.html"))
          .replace(/^\//, "");
        return pathOf(untranslated.has(page) ? page.slice(page.indexOf("/") + 1) : file);
      },
      isMade: ({ tag, attributes }) =>
        attributes["role"] === "tablist" || tag === "footer" || tag === "mobile-starlight-toc",
      isContent: ({ tag }) => tag === "main",
      isThemeHeading: ({ id }) => id === "_top",
      isTitle: ({ tag }) => tag === "title",
      titleIn: (title) => title.replace(/ \| [^|]*$/, ""),
      menu: menus.map((place) => ({ ...MENU, ...place })),
      isNoise: ({ classes }) => ["sl-badge", "sl-anchor-link", "sr-only"].some((name) => classes.has(name)),
    };
  },
};

/** The folder of the outermost configuration. */
function siteFolder(copy: string): string {
  const [found = "."] = [...new Bun.Glob("**/astro.config.*").scanSync({ cwd: copy })]
    .filter((each) => !each.includes("node_modules"))
    .sort((a, b) => a.length - b.length);
  return dirname(join(copy, found));
}

/** What of somebody's site is not installed is left out: its own components, plugins, and pictures that are missing. */
async function simplify(site: string): Promise<void> {
  const config = join(site, readdirSync(site).find((name) => name.startsWith("astro.config.")) ?? "");
  const text = await Bun.file(config).text();
  await Bun.write(
    config,
    text.replace(OTHER_IMPORT, (_, names: string) => stubsOf(names)),
  );
  for (const file of new Bun.Glob("src/**/*.astro").scanSync({ cwd: site }))
    await Bun.write(join(site, file), STUB);
  for (const file of [...new Bun.Glob("**/*.{md,mdx,mjs,ts}").scanSync({ cwd: site })])
    for (const [, picture = ""] of (await Bun.file(join(site, file)).text()).matchAll(PICTURE)) {
      const below = picture.replace(/^[~@]\//, "/src/");
      const place = below.startsWith(".") ? join(site, file, "..", below) : join(site, below);
      if (!(await Bun.file(place).exists())) await Bun.write(place, picture.endsWith(".svg") ? SVG : PIXEL);
    }
}

/** A component that shows all that it is given. */
const STUB = `---
const parts = await Promise.all(Object.keys(Astro.slots).map((name) => Astro.slots.render(name)));
---
<Fragment set:html={parts.join("")} />
`;

const OTHER_IMPORT =
  /^import\s+([^;'"]+?)\s+from\s+["'](?!astro\b|@astrojs\/(?:starlight|mdx)["']|\.)[^"']+["'];?/gm;
const PICTURE = /["'(\s]((?:\.{1,2}|~|@)?\/[\w./@-]+\.(?:svg|png|webp|jpe?g|gif|avif))/g;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 1 1"></svg>';
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Functions that do nothing, under the names of an import. */
const stubsOf = (names: string) =>
  names
    .split(/[{},]/)
    .flatMap((name) => /(?:\bas\s+)?(\w+)\s*$/.exec(name)?.[1] ?? [])
    .map((name) => `const ${name} = () => ({ name: "${name}", hooks: {} });`)
    .join(" ");

/** Pages that show those of the main language, because nobody has translated them. */
async function untranslatedIn(folder: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of new Bun.Glob("**/*.html").scanSync({ cwd: folder })) {
    const html = await Bun.file(join(folder, file)).text();
    const [, around = ""] = /<html[^>]*?\slang="([^"]*)"/.exec(html) ?? [];
    const [, within = around] = /<main[^>]*?\slang="([^"]*)"/.exec(html) ?? [];
    if (around !== within) found.add(file);
  }
  return found;
}

const LANGUAGE = /<option value="\/([^"]*)"[^>]*>([^<]*)<\/option>/g;

/** A translated page with a menu for each language, called as the list of languages calls it. */
async function placesIn(
  folder: string,
  untranslated: ReadonlySet<string>,
): Promise<{ page: string; label?: string }[]> {
  const files = [...new Bun.Glob("**/index.html").scanSync({ cwd: folder })].sort();
  for (const file of files.filter((each) => !untranslated.has(each))) {
    const html = await Bun.file(join(folder, file)).text();
    if (!html.includes('<ul class="top-level')) continue;
    // The list stands on a page twice.
    const options = new Map(
      [...html.matchAll(LANGUAGE)].map(([, path = "", label = ""]) => [`${path}index.html`, label]),
    );
    const languages = [...options].flatMap(([page, label]) =>
      files.includes(page) ? [{ page, label }] : [],
    );
    return languages.length < 2 ? [{ page: file }] : languages;
  }
  return [];
}
