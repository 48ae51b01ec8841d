import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { callOf, isComputed, knownIn, readConfig, readFirstConfig, unwrapCalls } from "../config/config.ts";
import type { DocsSite, OpenOptions, Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";

const CONFIGS = SITE_FILES.nuxtContent.marks.flatMap(spelled);
const NUXT_CONFIGS = CONFIGS.filter((name) => name.startsWith("nuxt."));
const CONTENT_CONFIGS = CONFIGS.filter((name) => name.startsWith("content."));
/** The places of the configuration of UnDocs. */
const UNDOCS_CONFIGS = SITE_FILES.undocs.marks.flatMap(spelled);

/** Where pages of a collection come from. */
export interface ContentSource {
  collection: string;
  /** The folder that patterns are matched below. */
  folder: string;
  /** The beginning of a pattern without signs, which is no part of addresses. */
  fixed: string;
  prefix: string;
  takes(below: string): boolean;
}

export interface NuxtSettings {
  root: string;
  generator: string;
  /** Nuxt Content 2 differs in the files that describe folders, in its order, and in drafts. */
  isVersion2: boolean;
  sources: ContentSource[];
  /** Whether the folder `docs` is the menu, and no entry of it. */
  showsDocsAlone: boolean;
  redirects: DocsSite["redirects"];
  unknowns: Unknown[];
}

/** Reads where a site has its pages; undefined where Nuxt is used without Nuxt Content. */
export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<OpenOptions, "answers">,
): Promise<NuxtSettings | undefined> {
  const at = (name: string) => joinLocation(root, name);
  const used = dependenciesIn((await readConfig(tree, at("package.json")))?.value);
  const undocs = used.has("undocs") ? UNDOCS_CONFIGS.map(at).find((each) => tree.has(each)) : undefined;
  if (undocs !== undefined) return undocsSettings(tree, root, undocs);
  if (tree.below(at("content")).length === 0) return undefined;
  const nuxt = await readFirstConfig(tree, NUXT_CONFIGS.map(at));
  const isDocus = used.has("docus") || namesIn(nuxt?.value).some((name) => /(?:^|\/)docus$/.test(name));
  const hasCollections = CONTENT_CONFIGS.some((name) => tree.has(at(name)));
  const isContent = namesIn(nuxt?.value).includes("@nuxt/content") || used.has("@nuxt/content");
  if (!isDocus && !hasCollections && !isContent) return undefined;
  const unknowns: Unknown[] = [];
  if (nuxt?.fault !== undefined) unknowns.push({ question: nuxt.fault, guess: "the usual settings" });
  const isVersion2 = !hasCollections && isOld(tree, at("content"), used);
  const config = asRecord(unwrapCalls(nuxt?.value));
  const name = isDocus ? "Docus" : "Nuxt Content";
  return {
    root,
    generator: isVersion2 ? `${name} (Nuxt Content 2)` : name,
    isVersion2,
    sources:
      (hasCollections ? await collectionsIn(tree, root, unknowns) : undefined) ??
      (isDocus && !isVersion2 && !("i18n" in config)
        ? docusSources(tree, at("content"))
        : [sourceOf("content", at("content"), { include: "**" })]),
    showsDocsAlone: isDocus,
    redirects: redirectsIn(config, unknowns),
    unknowns:
      answers === undefined ? unknowns : unknowns.filter(({ name: asked = "" }) => !(asked in answers)),
  };
}

/** The packages that a site names, with their versions. */
function dependenciesIn(value: unknown): Map<string, string> {
  const said = asRecord(value);
  return new Map(
    ["dependencies", "devDependencies", "peerDependencies"].flatMap((kind) =>
      Object.entries(asRecord(said[kind])).map(([name, version]) => [name, asText(version) ?? ""] as const),
    ),
  );
}

/** The modules and the layers that a configuration names. */
function namesIn(value: unknown): string[] {
  const config = asRecord(unwrapCalls(value));
  return ["modules", "buildModules", "extends"].flatMap((key) => {
    const list = knownIn(config[key]);
    return (Array.isArray(list) ? list : [list]).flatMap(
      (each) => asText(Array.isArray(each) ? each[0] : each) ?? [],
    );
  });
}

function isOld(tree: DocsTree, content: string, used: ReadonlyMap<string, string>): boolean {
  const major = /^\D*(\d+)/.exec(used.get("@nuxt/content") ?? "")?.[1];
  if (major !== undefined) return Number(major) < 3;
  const docus = /^\D*(\d+)/.exec(used.get("docus") ?? "")?.[1];
  if (docus !== undefined) return Number(docus) < 2;
  return (
    tree.below(content).some((file) => /(?:^|\/)_dir\.ya?ml$/.test(file)) || used.has("@nuxt-themes/docus")
  );
}

const DOCUS_FOLDER = "docs";

function docusSources(tree: DocsTree, content: string): ContentSource[] {
  const hasDocs = tree.below(joinLocation(content, DOCUS_FOLDER)).length > 0;
  return [
    sourceOf("docs", content, { include: hasDocs ? "docs/**" : "**", exclude: ["index.md"] }),
    sourceOf("landing", content, { include: "index.md" }),
  ];
}

/** The collections of pages that `content.config.ts` defines; undefined where it says none that can be known. */
async function collectionsIn(
  tree: DocsTree,
  root: string,
  unknowns: Unknown[],
): Promise<ContentSource[] | undefined> {
  const file = await readFirstConfig(
    tree,
    CONTENT_CONFIGS.map((name) => joinLocation(root, name)),
  );
  const ask = (question: string) => unknowns.push({ question, guess: "all of content/" });
  if (file === undefined) return undefined;
  if (file.fault !== undefined) ask(file.fault);
  const { value: exported = file.named["collections"] } = file;
  const whole = asRecord(unwrapCalls(exported));
  const collections = knownIn(whole["collections"] ?? file.named["collections"]);
  const found: ContentSource[] = [];
  const unread: string[] = [];
  for (const [name, defined] of Object.entries(asRecord(collections))) {
    const collection = isComputed(defined) ? {} : asRecord(unwrapCalls(defined));
    if (collection["type"] === "data") continue;
    const sources = sourcesOf(tree, root, name, knownIn(collection["source"]));
    if (sources.length === 0) unread.push(name);
    found.push(...sources);
  }
  if (unread.length > 0 || (found.length === 0 && file.fault === undefined))
    ask(
      `Which files are in ${unread.length === 0 ? "the collections" : unread.slice(0, 10).join(", ")}? ${file.location} computes it.`,
    );
  return found.length === 0 || unread.length > 0
    ? [...found, sourceOf("content", joinLocation(root, "content"), { include: "**" })]
    : found;
}

function sourcesOf(tree: DocsTree, root: string, collection: string, value: unknown): ContentSource[] {
  if (Array.isArray(value)) return value.flatMap((each) => sourcesOf(tree, root, collection, each));
  if (typeof value === "string")
    return [sourceOf(collection, joinLocation(root, "content"), { include: value })];
  if (!isRecord(value) || isComputed(value) || value["repository"] !== undefined) return [];
  const include = asText(knownIn(value["include"]));
  const prefix = asText(knownIn(value["prefix"]));
  const cwd = asText(knownIn(value["cwd"]))?.replace(/^~~\//, "");
  if (include === undefined) return [];
  const folder = resolveLocation(root, cwd ?? "content");
  const exclude = asList(knownIn(value["exclude"])).flatMap((each) => asText(each) ?? []);
  return folder === undefined || tree.below(folder).length === 0
    ? []
    : [sourceOf(collection, folder, { include, exclude, prefix })];
}

interface Patterns {
  include: string;
  exclude?: readonly string[];
  prefix?: string | undefined;
}

function sourceOf(collection: string, folder: string, patterns: Patterns): ContentSource {
  const include = patterns.include.replace(/^(?:\.{1,2}\/|\/)+/, "");
  const fixed = include.includes("*") ? (include.split("*", 1)[0] ?? "") : "";
  const glob = new Bun.Glob(include);
  const excluded = (patterns.exclude ?? []).map((pattern) => new Bun.Glob(pattern));
  return {
    collection,
    folder,
    fixed,
    prefix: (patterns.prefix ?? fixed).replace(/^\/+|\/+$/g, ""),
    takes: (below) => glob.match(below) && !excluded.some((each) => each.match(below)),
  };
}

async function undocsSettings(tree: DocsTree, root: string, location: string): Promise<NuxtSettings> {
  const file = await readConfig(tree, location);
  const config = asRecord(unwrapCalls(file?.value));
  const folder = resolveLocation(root, asText(knownIn(config["dir"])) ?? "") ?? root;
  const exclude = ["**/.**/**", ".**/**", "**/node_modules/**", "**/dist/**"];
  return {
    root,
    generator: "UnDocs",
    isVersion2: false,
    sources: [sourceOf("content", folder, { include: "**/*.{md,yml}", exclude, prefix: "" })],
    showsDocsAlone: false,
    redirects: redirectList(asRecord(knownIn(config["redirects"]))),
    unknowns: file?.fault === undefined ? [] : [{ question: file.fault, guess: "the usual settings" }],
  };
}

/** The redirects among the rules for routes: `"/old": { redirect: "/new" }`. */
function redirectsIn(config: Readonly<Record<string, unknown>>, unknowns: Unknown[]): DocsSite["redirects"] {
  const rules = config["routeRules"];
  if (isComputed(rules) || callOf(rules, ["Object.fromEntries"]) !== undefined)
    unknowns.push({ question: "Which redirects are there? The configuration computes them.", guess: "none" });
  return redirectList(
    Object.fromEntries(
      Object.entries(asRecord(knownIn(rules))).map(([from, rule]) => [
        from,
        asRecord(knownIn(rule))["redirect"],
      ]),
    ),
  );
}

const redirectList = (said: Readonly<Record<string, unknown>>): DocsSite["redirects"] =>
  Object.entries(said).flatMap(([from, value]) => {
    const known = knownIn(value);
    const to = asText(known) ?? asText(asRecord(known)["to"]);
    return to === undefined ? [] : [{ from, to }];
  });
