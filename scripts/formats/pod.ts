import { join } from "node:path";
import type { FormatJudge } from "./judge.ts";

/** Perl's own parser of POD. */
export const pod: FormatJudge = {
  name: "pod",
  needs: "perl",
  isPage: (file) => file.endsWith(".pod"),
  command: ({ page, out }) => ["perl", join(import.meta.dir, "render-pod.pl"), page, out],
  isContent: ({ tag }) => tag === "body",
};
