import type { FormatJudge } from "./judge.ts";

/** mandoc, which shows manual pages in both sets of macros, and their tables. */
export const man: FormatJudge = {
  name: "man",
  needs: "mandoc",
  isPage: (file) => /\.[1-9][a-z]*$/i.test(file),
  command: ({ page, out }) => ["sh", "-c", 'exec mandoc -K utf-8 -T html "$1" > "$2"', "sh", page, out],
  isContent: ({ classes }) => classes.has("manual-text"),
};
