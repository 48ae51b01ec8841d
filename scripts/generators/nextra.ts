import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({
  private: true,
  dependencies: {
    next: "15.5.29",
    nextra: "4.6.1",
    "nextra-theme-docs": "4.6.1",
    react: "19.2.0",
    "react-dom": "19.2.0",
  },
});

/** Nextra with a layout of ours, which lists what Nextra makes of the `_meta` files. */
export const nextra: Judge = {
  name: "nextra",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs }) {
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    const program = join(installed, "node_modules", "next", "dist", "bin", "next");
    const environment = { NEXT_TELEMETRY_DISABLED: "1", NEXT_IGNORE_INCORRECT_LOCKFILE: "1" };
    await runBounded(["node", program, "build"], { untilMs, folder: source, environment });
    await rename(join(source, "out"), into);
    return {
      folder: into,
      generator: "Nextra 4.6.1",
      base: "/",
      leaves: (file) => file === "404.html",
      addressOf: (file) => file.replace(/(?:(?:^|\/)index)?\.html$/, ""),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      // The labels of tabs are there once more as headings that nobody sees.
      isThemeHeading: ({ tag, attributes }) =>
        tag === "h3" && /visibility:hidden/.test(attributes["style"] ?? ""),
      isNoise: ({ attributes }) => (attributes["class"] ?? "").includes("subheading-anchor"),
      menu: {
        page: "index.html",
        isMenu: ({ tag }) => tag === "ul",
        isPart: ({ classes }) => classes.has("part"),
      },
    };
  },
};
