import { asRecord } from "@docent/kernel/text/json";
import { askOfPrograms, readConfig, unwrapCalls } from "../config/config.ts";
import type { DocsSite, Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { sourceRedirects } from "../redirects/redirects.ts";
import { SITE_FILES } from "../site-files.ts";

const CONFIG_NAMES = SITE_FILES.nextra.marks.flatMap(spelled);

export interface NextraSettings {
  root: string;
  /** The folder of pages that are addressed by their names; undefined where there is none. */
  contentFolder: string | undefined;
  /** The folder of pages that are addressed by their folders. */
  appFolder: string | undefined;
  /** What addresses of the first begin with. */
  contentBase: string;
  /** The languages, each in a folder that is called as it is; the main one first. None where there is one alone. */
  languages: string[];
  redirects: DocsSite["redirects"];
  unknowns: Unknown[];
}

/** Reads where a site has its pages; undefined where Next.js is used without Nextra. */
export async function readSettings(tree: DocsTree, root: string): Promise<NextraSettings | undefined> {
  const locations = CONFIG_NAMES.map((name) => joinLocation(root, name));
  const location = locations.find((each) => tree.has(each));
  const text = location === undefined ? undefined : await tree.text(location);
  if (location === undefined || text === undefined || !/["']nextra["']/.test(text)) return undefined;
  const folderAt = (name: string) =>
    [name, `src/${name}`].map((each) => joinLocation(root, each)).find((each) => tree.below(each).length > 0);
  const contentFolder = folderAt("content");
  const appFolder = folderAt("app");
  if (contentFolder === undefined && appFolder === undefined) return undefined;
  const unknowns: Unknown[] = [];
  const [, base] = /contentDirBasePath\s*:\s*["'`]([^"'`$\n]*)["'`]/.exec(text) ?? [];
  if (base === undefined && text.includes("contentDirBasePath"))
    unknowns.push({
      question: "Which contentDirBasePath does the site have? The configuration computes it.",
      guess: "none",
    });
  const [, plugins] = /(?:remark|rehype)Plugins\s{0,20}:\s{0,20}\[([^\]]{0,500})/.exec(text) ?? [];
  if (plugins !== undefined && plugins.trim() !== "")
    unknowns.push(...askOfPrograms([plugins.replace(/\s+/g, " ").trim()]));
  return {
    root,
    contentFolder,
    appFolder,
    contentBase: (base ?? "").replace(/^\/+|\/+$/g, ""),
    languages: languagesIn(text),
    redirects: /\bredirects\b/.test(text) ? await redirectsIn(tree, location, unknowns) : [],
    unknowns,
  };
}

/** What `i18n: { locales: ["en", "de"], defaultLocale: "en" }` names. */
function languagesIn(text: string): string[] {
  const [, said = ""] = /\bi18n\s*:\s*\{([^}]{0,2000})\}/.exec(text) ?? [];
  const [, list = ""] = /\blocales\s*:\s*\[([^\]]*)\]/.exec(said) ?? [];
  const [, main] = /\bdefaultLocale\s*:\s*["'`]([\w-]+)["'`]/.exec(said) ?? [];
  const names = [...list.matchAll(/["'`]([\w-]+)["'`]/g)].map(([, name = ""]) => name);
  return [...names.filter((name) => name === main), ...names.filter((name) => name !== main)];
}

/** What the function `redirects` of Next.js returns, as far as the configuration says it. */
async function redirectsIn(
  tree: DocsTree,
  location: string,
  unknowns: Unknown[],
): Promise<NextraSettings["redirects"]> {
  const { redirects } = asRecord(unwrapCalls((await readConfig(tree, location))?.value));
  if (redirects !== undefined && !Array.isArray(redirects))
    unknowns.push({ question: `Which redirects are there? ${location} computes them`, guess: "none" });
  return sourceRedirects(redirects);
}
