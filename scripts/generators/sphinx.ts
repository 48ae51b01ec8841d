import { dirname, join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = `sphinx==9.0.4
furo==2025.12.19
myst-parser==5.2.0
sphinx-copybutton
sphinx-design
sphinx-tabs
sphinxcontrib-log-cabinet
pallets-sphinx-themes
`;

/** The outermost configuration with a page at the top. */
function configIn(source: string): string {
  const depthOf = (file: string) => file.split("/").length;
  const [config = "conf.py"] = [...new Bun.Glob("**/conf.py").scanSync(source)].sort(
    (a, b) => depthOf(a) - depthOf(b),
  );
  return config;
}

/** Sphinx with MyST, in the theme Furo, whose menu shows all pages. */
export const sphinx: Judge = {
  name: "sphinx",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const place = isForeign ? join(source, configIn(source), "..") : source;
    if (isForeign) await simplify(join(place, "conf.py"));
    const builder = isForeign && (await usesFolders(source)) ? "dirhtml" : "html";
    const build = [join(installed, "bin", "sphinx-build"), "-q", "-b", builder, "-D", "html_theme=furo"];
    await runBounded([...build, place, into], { untilMs, folder: place });
    await readIds(into);
    return {
      folder: into,
      generator: "Sphinx 9.0.4, MyST 5.2.0",
      base: "/",
      leaves: (file) => /^(?:404|genindex.*|search|py-modindex|_modules\/.*)(?:\/index)?\.html$/.test(file),
      isContent: ({ attributes }) => attributes["id"] === "furo-main-content",
      menu: {
        page: "index.html",
        isMenu: ({ classes }) => classes.has("sidebar-tree"),
        isCaption: ({ classes }) => classes.has("caption"),
      },
      isNoise: ({ classes, attributes }) =>
        /(?:^|\/)(?:genindex|search|py-modindex)(?:\.html|\/)|_modules\//.test(attributes["href"] ?? "") ||
        ["headerlink", "footnote-reference", "visually-hidden"].some((name) => classes.has(name)),
      // Lists of pages are the menu's, and footnotes lead back to where they are used.
      isMade: ({ classes, attributes }) =>
        classes.has("toctree-wrapper") ||
        attributes["role"] === "doc-noteref" ||
        attributes["role"] === "doc-backlink" ||
        classes.has("problematic") ||
        classes.has("contents"),
    };
  },
};

/** Whether the files that start builds ask for a folder for each page. */
async function usesFolders(source: string): Promise<boolean> {
  for (const name of [".readthedocs.yaml", ".readthedocs.yml", "tox.ini", "pyproject.toml"]) {
    const file = Bun.file(join(source, name));
    if ((await file.exists()) && (await file.text()).includes("dirhtml")) return true;
  }
  return false;
}

/** What belongs to a theme that is not used fails the build. */
async function simplify(config: string): Promise<void> {
  const text = await Bun.file(config).text();
  const plain = [
    "html_theme_options = {}",
    "html_sidebars = {}",
    "html_additional_pages = {}",
    "templates_path = []",
  ];
  await Bun.write(config, [text, ...plain, ""].join("\n"));
}

/** Puts ids on headings, and makes links to a label above a heading links to it. */
async function readIds(folder: string): Promise<void> {
  const files = [...new Bun.Glob("**/*.html").scanSync(folder)];
  const ids = new Map<string, string>();
  for (const file of files) {
    const html = await Bun.file(join(folder, file)).text();
    for (const [, id = "", labels = ""] of html.matchAll(SECTION))
      for (const [, label] of labels.matchAll(/<span id="([^"]*)"/g)) ids.set(`${file}#${label}`, id);
  }
  for (const file of files) {
    const page = Bun.file(join(folder, file));
    const html = withIdsOnHeadings(await page.text()).replace(
      /(<a class="reference internal" href=")([^"#]*)#([^"]*)"/g,
      (whole, before: string, target: string, label: string) => {
        const place =
          target === "" ? file : join(dirname(file), target.endsWith("/") ? `${target}index.html` : target);
        const id = ids.get(`${place}#${label}`);
        return id === undefined ? whole : `${before}${target}#${id}"`;
      },
    );
    await Bun.write(page, html);
  }
}

const SECTION = /<section(?: class="[^"]*")? id="([^"]*)">(\s*(?:<span id="[^"]*"><\/span>)*\s*)<h(\d)>/g;

/** Sphinx gives its ids to sections, and to the terms of lists that describe functions and options. */
const withIdsOnHeadings = (html: string) =>
  html
    // What is not found is marked, and leads to the message about it.
    .replace(/<a href="#id\d+"><span class="problematic"[\s\S]*?<\/a>/g, "")
    .replace(/<title>(.*?) - [^<]*<\/title>/, "<title>$1</title>")
    .replace(
      SECTION,
      (_, id: string, between: string, level: string) => `<section>${between}<h${level} id="${id}">`,
    )
    .replace(
      /(<dl class="[^"]*"(?: id="[^"]*")?>\s*)<dt class="sig [^"]*" id="([^"]*)">([\s\S]*?)<\/dt>/g,
      (_, list: string, id: string, words: string) => `${list}<h6 id="${id}">${words}</h6>`,
    );
