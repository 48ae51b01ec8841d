/** The same rules without what only people read: CSS that a script carries as text is not minified by the bundler. */
export function withoutLayout(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .trim();
}

/** Lets scripts carry CSS as text. */
export const cssText: Bun.BunPlugin = {
  name: "css-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      contents: withoutLayout(await Bun.file(path).text()),
      loader: "text",
    }));
  },
};
