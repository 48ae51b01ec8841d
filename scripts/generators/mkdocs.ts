import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import type { Element } from "./built-site.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = `mkdocs==1.6.1
mkdocs-material==9.8.1
pymdown-extensions==13.1
markdown==3.11.3
mkdocs-static-i18n==1.3.1
mkdocs-awesome-pages-plugin==2.10.1
`;

/** MkDocs with the theme Material. */
export const mkdocs: Judge = {
  name: "mkdocs",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs }) {
    const program = join(installed, "bin", "mkdocs");
    const config = join(source, "mkdocs.yml");
    await runBounded([program, "build", "-q", "-f", config, "-d", into], { untilMs });
    return {
      folder: into,
      generator: "MkDocs 1.6.1, Material 9.8.1",
      base: "/",
      leaves: (file) => file === "404.html",
      isContent: ({ tag }) => tag === "article",
      menu: {
        page: "404.html",
        isMenu: ({ tag, classes }) => tag === "nav" && classes.has("md-nav--primary"),
      },
      isNoise,
    };
  },
};

const NOISE = ["headerlink", "md-nav__title", "md-nav__icon", "md-status"];
const isNoise = ({ classes }: Element) => NOISE.some((name) => classes.has(name));
