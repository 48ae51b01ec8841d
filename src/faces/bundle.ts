import { basename, join } from "node:path";
import type { WebFile } from "@docent/doors/assets";
import { TRANSLATED_LABELS } from "./widget/languages/languages.ts";

/** What browser code there is, each with what it is called. `widget.js` is asked for by that name on other sites' pages. */
const BUNDLES = {
  dashboard: { entry: "dashboard/main.tsx", naming: "dashboard-[hash].[ext]", format: "esm" },
  highlight: { entry: "highlight/highlight.ts", naming: "highlight-[hash].[ext]", format: "esm" },
  palette: { entry: "palette/palette.ts", naming: "palette-[hash].[ext]", format: "esm" },
  token: { entry: "widget/reader-token.ts", naming: "token-[hash].[ext]", format: "esm" },
  turns: { entry: "widget/panel/turn/turn.ts", naming: "turns-[hash].[ext]", format: "esm" },
  reader: { entry: "reader-site/main.ts", naming: "reader-[hash].[ext]", format: "esm" },
  widget: { entry: "widget/main.ts", naming: "widget.[ext]", format: "iife" },
} as const;

export type BundleName = keyof typeof BUNDLES;

const CONTENT_TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Bundles the browser code. The build does it once for the binary, a server that runs from its sources when first asked. */
export async function bundleWeb(): Promise<WebFile[]> {
  const later = ["highlight", "palette", "token", "turns"] as const;
  const [highlight = [], palette = [], token = [], turns = []] = await Promise.all(
    later.map((name) => bundle(name, {})),
  );
  const labels = labelFiles();
  // The widget loads them when they are needed first, and has to know what they are called.
  const known = {
    DOCENT_HIGHLIGHT_FILE: JSON.stringify(highlight[0]?.name ?? ""),
    DOCENT_PALETTE_FILE: JSON.stringify(palette[0]?.name ?? ""),
    DOCENT_TOKEN_FILE: JSON.stringify(token[0]?.name ?? ""),
    DOCENT_TURNS_FILE: JSON.stringify(turns[0]?.name ?? ""),
    DOCENT_LABELS_HASH: JSON.stringify(LABELS_HASH),
  };
  const others = await Promise.all(
    (["dashboard", "reader", "widget"] as const).map((name) => bundle(name, known)),
  );
  return [...highlight, ...palette, ...token, ...turns, ...labels, ...others.flat()];
}

/** One for all languages: the widget, which is small, carries no table of them. */
const LABELS_HASH = Bun.hash(JSON.stringify(TRANSLATED_LABELS)).toString(36).slice(0, 8);

/** The widget's labels, a file for each language but English, which is in the widget. */
function labelFiles(): WebFile[] {
  return Object.entries(TRANSLATED_LABELS).map(([language, labels]) => ({
    name: `labels-${language}-${LABELS_HASH}.js`,
    contentType: CONTENT_TYPES["js"] ?? "",
    bytes: new TextEncoder().encode(`export const labels=${JSON.stringify(labels)};`),
  }));
}

async function bundle(name: BundleName, define: Record<string, string>): Promise<WebFile[]> {
  const { entry, naming, format } = BUNDLES[name];
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, entry)],
    target: "browser",
    format,
    naming,
    minify: true,
    sourcemap: "none",
    // Of the others, CSS is a file of its own.
    plugins: name === "widget" || name === "palette" ? [cssText] : [],
    define: { "process.env.NODE_ENV": '"production"', ...define },
  });
  return Promise.all(
    outputs.map(async (output) => {
      const file = basename(output.path);
      const contentType = CONTENT_TYPES[file.split(".").at(-1) ?? ""];
      if (contentType === undefined) throw new Error(`${file}: no browser is sent such a file`);
      return { name: file, contentType, bytes: new Uint8Array(await output.arrayBuffer()) };
    }),
  );
}

/** The same rules without what only people read: CSS that a script carries as text is not minified by the bundler. */
export function withoutLayout(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .replaceAll(" !important", "!important")
    .replace(/="([\w-]+)"\]/g, "=$1]")
    .replace(/(?<![\w.])0\.(?=\d)/g, ".")
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
