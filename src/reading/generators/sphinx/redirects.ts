import { asRecord } from "@docent/kernel/text/json";
import type { DocsSite } from "../docs-site.ts";
import { type DocsTree, resolveLocation } from "../docs-tree.ts";

interface Place {
  tree: DocsTree;
  root: string;
  /** Whether each page is a folder: a relative address begins inside of it. */
  usesFolders: boolean;
}

const REDIRECTS_MAX = 20_000;

/** Where pages were before: what `sphinx_reredirects` and `rediraffe` are told, by the configuration or in a file. */
export async function readRedirects(
  { tree, root, usesFolders }: Place,
  config: Readonly<Record<string, unknown>>,
): Promise<DocsSite["redirects"]> {
  const listed = config["rediraffe_redirects"];
  const location = typeof listed === "string" ? resolveLocation(root, listed) : undefined;
  const moves =
    location === undefined ? Object.entries(asRecord(listed)) : movesIn((await tree.text(location)) ?? "");
  return [
    ...moves.flatMap(([from, to]) =>
      typeof to === "string" ? [{ from: withoutEnding(from), to: `/${withoutEnding(to)}` }] : [],
    ),
    ...Object.entries(asRecord(config["redirects"])).flatMap(([from, to]) =>
      // With `*` it names pages that there are.
      typeof to === "string" && !from.includes("*") ? [{ from, to: addressFrom(from, to, usesFolders) }] : [],
    ),
  ].slice(0, REDIRECTS_MAX);
}

/** `"old page.rst" "new.rst"`, or without quotes, one a line. */
export const movesIn = (text: string): [string, string][] =>
  text.split("\n", REDIRECTS_MAX).flatMap((line): [string, string][] => {
    if (line.trimStart().startsWith("#")) return [];
    const [from, to] = [...line.matchAll(/"([^"\n]+)"|'([^'\n]+)'|(\S+)/g)].map((found) =>
      found.slice(1).join(""),
    );
    return from !== undefined && to !== undefined ? [[from, to]] : [];
  });

const withoutEnding = (file: string) => file.replace(/^\.?\//, "").replace(/\.(?:rst|md|txt|ipynb)$/, "");

/** A target is written as a browser reads it on the old page. */
function addressFrom(page: string, target: string, usesFolders: boolean): string {
  const url = URL.parse(target, `http://docs.invalid/${page}${usesFolders ? "/" : ".html"}`);
  return url?.host === "docs.invalid" ? url.pathname + url.hash : target;
}
