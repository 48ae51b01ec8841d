import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { askOfPrograms, readConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf, resolveLocation } from "../docs-tree.ts";
import { matcherOf } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";

/** What a site's playbook says, as far as it changes its pages. */
export interface Playbook {
  location: string | undefined;
  /** The folders of the components that are in this source; undefined where it names none. */
  startPaths: string[] | undefined;
  extensionStyle: "default" | "drop" | "indexify";
  /** What stands in addresses for the latest version. */
  latestSegment: string | undefined;
  startPage: string | undefined;
  attributes: Readonly<Record<string, AttributeValue>>;
  unknowns: Unknown[];
}

const isPlaybook = matcherOf(SITE_FILES.antora.reads);

/** The files that may be playbooks, the likeliest first. */
export const playbookFiles = (tree: DocsTree) =>
  tree.files
    .filter(isPlaybook)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, 20);

const rankOf = (file: string) =>
  file.split("/").length * 10 +
  (nameOf(file) === "antora-playbook.yml" ? 0 : nameOf(file) === "site.yml" ? 1 : 2);

/** Files of any other name that may be one, above the components: those of the published site first. */
function otherFiles(tree: DocsTree, known: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of tree.files) {
    if (nameOf(file) !== "antora.yml") continue;
    for (let at = folderOf(file); !folders.has(at); at = folderOf(at)) folders.add(at);
  }
  const rank = (file: string) =>
    /publish|prod/i.test(nameOf(file)) ? 0 : /preview|local|author|dev|test/i.test(nameOf(file)) ? 2 : 1;
  return tree.files
    .filter((file) => /^[^.].*\.ya?ml$/.test(nameOf(file)) && nameOf(file) !== "antora.yml")
    .filter((file) => folders.has(folderOf(file)) && !known.includes(file))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, 20);
}

export async function readPlaybook(tree: DocsTree): Promise<Playbook> {
  const named = playbookFiles(tree);
  const others = otherFiles(tree, named);
  for (const location of [...named, ...others]) {
    const value = asRecord((await readConfig(tree, location))?.value);
    const sources = asList(asRecord(value["content"])["sources"]).map(asRecord);
    const isMeant = named.includes(location) || isRecord(value["site"]) || isRecord(value["ui"]);
    if (sources.length > 0 && isMeant) return playbookIn(value, sources, location);
  }
  return playbookIn({}, [], undefined);
}

function playbookIn(
  value: Readonly<Record<string, unknown>>,
  sources: readonly Readonly<Record<string, unknown>>[],
  location: string | undefined,
): Playbook {
  const urls = asRecord(value["urls"]);
  const style = urls["html_extension_style"];
  const asciidoc = asRecord(value["asciidoc"]);
  const strategy = asText(urls["latest_version_segment_strategy"]) ?? "replace";
  const paths = sources.flatMap((source) => startPathsIn(source, location ?? ""));
  const site = asRecord(value["site"]);
  const named = { "site-title": asText(site["title"]), "site-url": asText(site["url"]) };
  const extensions = asList(asciidoc["extensions"]).flatMap((each) => asText(each) ?? []);
  const unknown = extensions.filter((each) => !/tabs|kroki|highlight|mathjax/i.test(each));
  return {
    location,
    startPaths: paths.length === 0 ? undefined : paths,
    extensionStyle: style === "drop" || style === "indexify" ? style : "default",
    latestSegment: strategy === "redirect:from" ? undefined : asText(urls["latest_version_segment"]),
    startPage: asText(site["start_page"]),
    attributes: {
      env: "site",
      "env-site": "",
      "site-gen": "antora",
      "site-gen-antora": "",
      icons: "font",
      ...attributesIn(named),
      ...attributesIn(asRecord(asciidoc["attributes"])),
    },
    unknowns: askOfPrograms(unknown),
  };
}

/** Where the components of a source lie that is this repository itself. */
function startPathsIn(source: Readonly<Record<string, unknown>>, location: string): string[] {
  const url = asText(source["url"]) ?? "";
  if (!/^\.\.?(?:\/|$)/.test(url)) return [];
  const folder = resolveLocation(folderOf(location), url);
  // A playbook below the repository's root reads the repository from above.
  const base = folder ?? "";
  const listed = asText(source["start_paths"])?.split(",") ?? asList(source["start_paths"]);
  const paths = [source["start_path"], ...listed].flatMap((each) => asText(each)?.trim() ?? []);
  return (paths.length === 0 ? [""] : paths).flatMap((path) => resolveLocation(base, path) ?? []);
}

/** An attribute from a configuration; false and null take one away. */
export type AttributeValue = string | false | null;

/** Attributes as a configuration gives them: false and null take one away. */
export function attributesIn(
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, AttributeValue>> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, AttributeValue][] => {
      if (value === null || value === false) return [[name, value]];
      if (value === true) return [[name, ""]];
      return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
    }),
  );
}
