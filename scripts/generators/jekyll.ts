import { runBounded } from "../bounded.ts";
import type { Element } from "./built-site.ts";
import type { Judge } from "./judge.ts";

const NOISE = ["anchor-heading", "footnote", "reversefootnote"];

/** Jekyll as the system has it: Debian's packages jekyll and ruby-jekyll-redirect-from. */
export const jekyll: Judge = {
  name: "jekyll",
  pins: "jekyll of the system\n",
  install: (_folder, untilMs) => runBounded(["jekyll", "--version"], { untilMs }),
  async build({ source, into, untilMs, isForeign }) {
    const environment = { JEKYLL_NO_BUNDLER_REQUIRE: "true" };
    await runBounded(["jekyll", "build", "--quiet", "--source", source, "--destination", into], {
      untilMs,
      folder: source,
      environment,
    });
    return {
      folder: into,
      generator: "Jekyll 4.3.1",
      base: "/",
      leaves: (file) => file === "404.html",
      isContent: ({ tag }) => tag === "main",
      ...(isForeign ? {} : { isTitle: ({ tag }: Element) => tag === "title" }),
      isNoise: ({ id = "", classes }) =>
        id.startsWith("markdown-toc-") || NOISE.some((name) => classes.has(name)),
      menu: {
        page: "index.html",
        isMenu: ({ tag, classes }) => tag === "ul" && (classes.has("menu") || classes.has("nav-list")),
      },
    };
  },
};
