import { join } from "node:path";
import type { FormatJudge } from "./judge.ts";

/** No Confluence can be had here: the words of its XML are taken by Python's parser, as its macros are documented. */
export const confluence: FormatJudge = {
  name: "confluence",
  needs: "python3",
  isPage: (file) => file.endsWith("entities.xml"),
  command: ({ page, out }) => ["python3", join(import.meta.dir, "words-of-confluence.py"), page, out],
  isContent: ({ tag }) => tag === "body",
};
