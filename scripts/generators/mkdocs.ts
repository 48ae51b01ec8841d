import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import type { Element } from "./built-site.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = `mkdocs==1.6.1
mkdocs-material==9.8.1
pymdown-extensions==13.1
markdown==3.11.3
markdown-include-variants==0.0.8
mdx-include==1.4.2
mkdocs-awesome-pages-plugin==2.10.1
mkdocs-include-markdown-plugin==7.3.0
mkdocs-macros-plugin==1.5.0
mkdocs-redirects==1.2.3
mkdocs-static-i18n==1.3.1
`;

/** MkDocs with the theme Material, on several sites: one configuration can't have everything. */
export const mkdocs: readonly Judge[] = ["mkdocs", "mkdocs-folders", "mkdocs-languages"].map((name) => ({
  name,
  installedAs: "mkdocs",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs }) {
    const program = join(installed, "bin", "mkdocs");
    const config = join(source, "mkdocs.yml");
    await runBounded([program, "build", "-q", "-f", config, "-d", into], { untilMs, folder: source });
    const isFolders = name === "mkdocs-folders";
    return {
      folder: into,
      generator: "MkDocs 1.6.1, Material 9.8.1",
      base: isFolders ? "/handbook/" : "/",
      leaves: (file) => file === "404.html",
      isContent: ({ tag }) => tag === "article",
      isTitle: ({ attributes }) => attributes["data-md-component"] === "header-topic",
      // No page is the current one on 404.html, but it stands in the last of several languages.
      menu: {
        page: name === "mkdocs-languages" ? "index.html" : "404.html",
        isMenu: ({ tag, classes }) => tag === "ul" && classes.has("md-nav__list"),
      },
      isNoise,
      // What the theme writes above a page without one.
      isThemeHeading: ({ tag, id }) => tag === "h1" && id === undefined,
    };
  },
}));

const NOISE = [
  "headerlink",
  "md-nav__title",
  "md-nav__icon",
  "md-status",
  "footnote-ref",
  "footnote-backref",
];
const isNoise = ({ classes }: Element) => NOISE.some((name) => classes.has(name));
