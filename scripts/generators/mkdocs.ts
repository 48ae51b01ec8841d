import { dirname, join } from "node:path";
import { runBounded } from "../bounded.ts";
import type { BuiltSite, Element } from "./built-site.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = `mkdocs==1.6.1
mkdocs-material==9.8.1
pymdown-extensions==13.1
markdown==3.11.3
markdown-include-variants==0.0.8
mdx-include==1.4.2
mkdocs-awesome-nav==3.3.0
mkdocs-awesome-pages-plugin==2.10.1
mkdocs-include-markdown-plugin==7.3.0
mkdocs-literate-nav==0.6.3
mkdocs-macros-plugin==1.5.0
mkdocs-redirects==1.2.3
mkdocs-static-i18n==1.3.1
mkdocstrings==1.0.8
mkdocstrings-python==2.0.11
griffe==2.4.1
`;

/** Builds docs whose configuration wants more than is here. */
const FOREIGN = join(import.meta.dir, "mkdocs-foreign.py");

/** The outermost configuration, and of several the one with most pages beside it. */
export function mkdocsConfigIn(source: string): string {
  const depthOf = (file: string) => file.split("/").length;
  const pagesOf = (file: string) => [...new Bun.Glob("**/*.md").scanSync(join(source, dirname(file)))].length;
  const [config = "mkdocs.yml"] = [...new Bun.Glob("**/mkdocs.{yml,yaml}").scanSync(source)].sort(
    (a, b) => depthOf(a) - depthOf(b) || pagesOf(b) - pagesOf(a),
  );
  return config;
}

/** MkDocs with the theme Material, on several sites: one configuration can't have everything. */
export const mkdocs: readonly Judge[] = [
  "mkdocs",
  "mkdocs-folders",
  "mkdocs-languages",
  "mkdocs-literate",
  "mkdocs-programs",
].map((name) => ({
  name,
  installedAs: "mkdocs",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const place = isForeign ? join(source, mkdocsConfigIn(source)) : join(source, "mkdocs.yml");
    if (isForeign) {
      const command = [join(installed, "bin", "python"), FOREIGN, place, into];
      await runBounded(command, { untilMs, folder: dirname(place) });
    } else {
      const command = [join(installed, "bin", "mkdocs"), "build", "-q", "-d", into];
      await runBounded(command, { untilMs, folder: source });
    }
    // No page is the current one on 404.html, but it stands in the last of several languages.
    const menuPage = name === "mkdocs-languages" ? "index.html" : "404.html";
    return materialSite({ config: place, into, generator: "MkDocs 1.6.1, Material 9.8.1", menuPage });
  },
}));

/** How the HTML of Material is read. */
export async function materialSite({
  config,
  into,
  generator,
  menuPage = "404.html",
}: {
  config: string;
  into: string;
  generator: string;
  menuPage?: string;
}): Promise<BuiltSite> {
  return {
    folder: into,
    generator,
    base: await baseOf(config),
    // Lists of posts have no file.
    leaves: (file) => file === "404.html" || /\/(?:archive|category|page)\/[^/]+\/index\.html$/.test(file),
    // What stands above the posts of a blog is in no article.
    isContent: ({ tag, classes }) => tag === "article" || (tag === "header" && classes.has("md-typeset")),
    isTitle: ({ attributes }) => attributes["data-md-component"] === "header-topic",
    menu: {
      page: menuPage,
      isMenu: ({ tag, classes }) => tag === "ul" && classes.has("md-nav__list"),
    },
    isNoise,
    // What the theme writes above a page without one.
    isThemeHeading: ({ tag, id }) => tag === "h1" && id === undefined,
  };
}

/** The path of the site's address. */
async function baseOf(config: string): Promise<string> {
  const text = await Bun.file(config).text();
  const parent = /^INHERIT: *(.+)$/m.exec(text)?.[1];
  const address = /^site_url *[:=] *["']?([^\s"']+)/m.exec(text)?.[1];
  if (address === undefined && parent !== undefined) return baseOf(join(dirname(config), parent));
  // A variable of the environment stands in place of some.
  const path = URL.parse(address ?? "")?.pathname ?? "/";
  return path.endsWith("/") ? path : `${path}/`;
}

const NOISE = [
  "headerlink",
  "md-nav__title",
  "md-nav__icon",
  "md-status",
  "footnote-ref",
  "footnote-backref",
];
const isNoise = ({ classes, attributes }: Element) =>
  NOISE.some((name) => classes.has(name)) || attributes["href"]?.startsWith("#__codelineno") === true;
