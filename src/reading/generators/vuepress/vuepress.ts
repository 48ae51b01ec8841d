import type { GeneratorAdapter } from "../docs-site.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { openSite } from "../vitepress/vitepress.ts";
import { readSettings } from "./settings.ts";

/** VuePress 1 and 2, with the default theme or one that is configured like it, such as Hope. */
export const vuepress: GeneratorAdapter = {
  name: "VuePress",
  roots: (tree) => rootsIn(SITE_FILES.vuepress, tree.files),
  async open(tree, root) {
    return openSite("VuePress", tree, await readSettings(tree, root));
  },
};
