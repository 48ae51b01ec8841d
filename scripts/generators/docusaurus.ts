import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";
import type { Element } from "./built-site.ts";
import type { Judge } from "./judge.ts";

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
  async build({ installed, source, into, untilMs }) {
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await cp(join(installed, "package.json"), join(source, "package.json"));
    const program = join(installed, "node_modules", "@docusaurus", "core", "bin", "docusaurus.mjs");
    const environment = { DOCUSAURUS_NO_PERSISTENT_CACHE: "1" };
    await runBounded(["node", program, "build", source, "--out-dir", into], { untilMs, environment });
    return {
      folder: into,
      generator: `Docusaurus ${VERSION}`,
      base: "/",
      leaves: (file) => NO_PAGES.test(file),
      // Of a page that lists a category, its cards.
      isContent: ({ tag, classes }) =>
        classes.has("markdown") ||
        hasClass(classes, "mdxPageWrapper") ||
        (tag === "article" && classes.has("margin-top--lg")),
      isTitle: ({ tag }) => tag === "title",
      titleIn: (words) => words.replace(/ \| [^|]*$/, ""),
      menu: [
        { label: "All guides", page: "docs/index.html" },
        { label: "The reference", page: "docs/reference/commands/index.html" },
        { page: "team/1-rules/index.html" },
        { label: "Blog", page: "blog/index.html" },
      ].map((menu) => ({ ...menu, isMenu })),
      isThemeHeading: ({ tag, id }) => tag === "h1" && id === undefined,
      isNoise: ({ classes }) => classes.has("hash-link") || classes.has("table-of-contents__link"),
    };
  },
};

/** Lists that the theme makes of other pages, and an old version, which is read only where it is asked for. */
const NO_PAGES =
  /^(?:team\/1\.0(?:\/.*|$)|404\.html|blog\/(?:index|archive\/|tags\/|authors\/|page\/).*|search\/.*|docs\/(?:next\/)?tags\b.*)/;

const isMenu = ({ classes }: Element) =>
  classes.has("theme-doc-sidebar-menu") || hasClass(classes, "sidebarItemList");

/** Classes of the theme's own styles end in a hash. */
const hasClass = (classes: ReadonlySet<string>, name: string) =>
  [...classes].some((each) => each === name || each.startsWith(`${name}_`));
