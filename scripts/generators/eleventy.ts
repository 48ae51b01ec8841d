import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({
  private: true,
  type: "module",
  dependencies: { "@11ty/eleventy": "3.1.8", "@11ty/eleventy-navigation": "1.0.5" },
});

/** Eleventy. A repository's own packages are not installed: what needs others than these is no judge's. */
export const eleventy: Judge = {
  name: "eleventy",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs }) {
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await Bun.write(join(source, "package.json"), PINS);
    const program = join(installed, "node_modules", "@11ty", "eleventy", "cmd.cjs");
    await runBounded(["node", program, `--output=${into}`, "--quiet"], { untilMs, folder: source });
    return {
      folder: into,
      generator: "Eleventy 3.1.8",
      base: "/",
      leaves: (file) => file === "404.html",
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      menu: { page: "index.html", isMenu: ({ tag }) => tag === "ul" },
    };
  },
};
