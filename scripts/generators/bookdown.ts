import { rm } from "node:fs/promises";
import { join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";
import type { Judge } from "./judge.ts";

/** bookdown with its pages in the style of GitBook, where R has it. */
export const bookdown: Judge = {
  name: "bookdown",
  pins: "bookdown of the R that is here\n",
  async install() {
    try {
      await runBounded(["Rscript", "-e", "stopifnot(requireNamespace('bookdown'))"], {
        untilMs: Date.now() + 60_000,
      });
    } catch {
      throw new NotHere("there is no R with bookdown (r-cran-bookdown)");
    }
  },
  async build({ source, into, untilMs }) {
    const build = `bookdown::render_book('index.Rmd', 'bookdown::gitbook', output_dir = ${JSON.stringify(into)}, quiet = TRUE)`;
    await runBounded(["Rscript", "-e", build], { untilMs, folder: source });
    await rm(join(into, "libs"), { recursive: true, force: true });
    await moveIds(into);
    return {
      folder: into,
      generator: "bookdown",
      base: "/",
      leaves: (file) => file === "404.html",
      isContent: ({ tag, classes }) => tag === "section" && classes.has("normal"),
      isTitle: ({ tag }) => tag === "h1" || tag === "h2",
      isNoise: ({ tag, classes }) =>
        tag === "sup" || classes.has("header-section-number") || classes.has("anchor-section"),
      isOwnLink: ({ classes, attributes }) =>
        classes.has("anchor-section") ||
        /#(?:cb|ref-)/.test(attributes["href"] ?? "") ||
        attributes["role"] === "doc-biblioref",
      menu: {
        page: "index.html",
        isMenu: ({ tag, classes }) => tag === "ul" && classes.has("summary"),
        isPart: ({ classes }) => classes.has("part") || classes.has("appendix"),
      },
    };
  },
};

/** The name of the book above each page, the numbers in the menu, and its entries for what is no page. */
const MADE =
  /<h1>\s*<i class="fa[^"]*"[^>]*><\/i>[\s\S]*?<\/h1>|<b>[\dA-Z.]+<\/b> |<li class="chapter" data-level="\w+\.\d+\.\d+"[^>]*>(?:(?!<\/li>)[\s\S])*<\/li>/g;

/** Ids stand on what is around a heading, and are looked for on the heading itself. */
async function moveIds(folder: string): Promise<void> {
  for (const file of new Bun.Glob("*.html").scanSync(folder)) {
    const place = join(folder, file);
    const html = await Bun.file(place).text();
    const moved = html
      .replace(MADE, "")
      .replace(/(<li class="part"><span><b>)[IVXLC]+ /g, "$1")
      .replace(
        /<div id="([^"]*)"( class="section level\d[^"]*"[^>]*>\s*<h\d)/g,
        (_, id: string, rest: string) => `<div${rest} id="${id}"`,
      );
    await Bun.write(place, moved);
  }
}
