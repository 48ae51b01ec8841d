import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({ private: true, dependencies: { honkit: "6.1.7" } });

/** HonKit, which makes sites of the files of GitBook. What only GitBook's own host knows ends its run. */
export const gitbook: Judge = {
  name: "gitbook",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const config = Bun.file(join(source, "book.json"));
    const given = (await config.exists()) ? await config.json() : {};
    const plugins = ["-search", "-lunr", "-sharing", "-fontsettings", "-highlight"];
    // Plugins of somebody's book are not installed.
    if (isForeign) await Bun.write(config, JSON.stringify({ ...given, plugins, pluginsConfig: {} }));
    const program = join(installed, "node_modules", ".bin", "honkit");
    await runBounded([program, "build", source, into], { untilMs, folder: installed });
    return {
      folder: into,
      generator: "HonKit 6.1.7",
      base: "/",
      isContent: ({ tag, classes }) => tag === "section" && classes.has("markdown-section"),
      isTitle: ({ tag }) => tag === "title",
      // The glossary has no title but its heading.
      titleIn: (words) => words.replace(/ ?· [^·]*$/, "") || "Glossary",
      menu: {
        page: "index.html",
        isMenu: ({ tag, classes }) => tag === "ul" && classes.has("summary"),
        isPart: ({ classes }) => classes.has("header"),
        isRule: ({ classes }) => classes.has("divider"),
      },
      isNoise: ({ classes }) => classes.has("gitbook-link"),
      isOwnLink: ({ classes }) => classes.has("glossary-term"),
    };
  },
};
