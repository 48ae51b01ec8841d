/** The programs whose anchors a site's headings may have. What these are is in markdown/md/anchors.ts. */
export const ANCHOR_STYLE_NAMES = [
  "github",
  "docusaurus",
  "mintlify",
  "vitepress",
  "mkdocs",
  "sphinx",
] as const;
