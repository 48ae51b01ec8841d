import { join } from "node:path";
import type { FormatJudge } from "./judge.ts";

const UNSAID = ["footref", "footnum", "footnotes", "figure-number", "table-number"];

/** Emacs' own exporter. Code in pages is not run. */
export const org: FormatJudge = {
  name: "org",
  needs: "emacs (emacs-nox)",
  isPage: (file) => file.endsWith(".org") && !isPart(file),
  command: ({ page, out }) => [
    "emacs",
    "--batch",
    "--load",
    join(import.meta.dir, "export-org.el"),
    page,
    out,
  ],
  isContent: ({ id }) => id === "content",
  // Numbers of footnotes and of what is captioned, and the heading above the footnotes.
  isNoise: ({ classes }) => UNSAID.some((name) => classes.has(name)),
  isMade: ({ id }) => id === "table-of-contents" || id === "postamble",
};

/** What is there to be included. */
export const isPart = (file: string) => /(?:^|\/)parts\//.test(file);
