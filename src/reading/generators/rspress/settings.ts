import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import {
  askedOf,
  askOfFolder,
  askOfPrograms,
  callOf,
  changingPlugins,
  isComputed,
  knownIn,
  readConfig,
  unwrapCalls,
} from "../config/config.ts";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { matcherOf } from "../name-patterns.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";

export interface RspressSettings {
  root: string;
  /** The folder of its pages. */
  content: string;
  /** The path at which the site begins, without slashes around it. */
  base: string;
  title: string | undefined;
  /** Whether addresses have no `.html`. */
  isClean: boolean;
  extensions: string[];
  excluded: string[];
  /** The language of pages whose addresses do not begin with one; "" where there are no languages. */
  language: string;
  languages: string[];
  /** The version whose addresses do not begin with it; "" where there are no versions. */
  version: string;
  versions: string[];
  /** The menus of the configuration, by language; those of files count where there are none. */
  menus: ReadonlyMap<string, { nav: unknown; sidebar: unknown }>;
  /** Names that stand for folders in what pages import: `@en/` is `docs/en/`. */
  aliases: readonly (readonly [string, string])[];
  redirects: { from: string; to: string }[];
  unknowns: Unknown[];
}

const isConfig = matcherOf(SITE_FILES.rspress.marks);

export const rspressRoots = (tree: DocsTree): string[] => rootsIn(SITE_FILES.rspress, tree.files);

const EXTENSIONS = [".js", ".jsx", ".ts", ".tsx", ".md", ".mdx"];

export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<WantedDocs, "answers">,
): Promise<RspressSettings | undefined> {
  const location = tree.files.find((file) => folderOf(file) === root && isConfig(file));
  const config = location === undefined ? undefined : await readConfig(tree, location);
  if (config === undefined) return undefined;
  const unknowns: Unknown[] =
    config.fault === undefined ? [] : [{ question: config.fault, guess: "the defaults" }];
  const value = asRecord(unwrapCalls(knownIn(config.value)));
  const known = (from: Readonly<Record<string, unknown>>, name: string) =>
    knownIn(from[name], ({ source, guess }) =>
      unknowns.push({
        question: `What is ${name}? The configuration computes it: ${source}`,
        guess: String(guess ?? "the default"),
      }),
    );
  const route = asRecord(known(value, "route"));
  const theme = asRecord(known(value, "themeConfig"));
  const locales = listOf(known(value, "locales")) ?? listOf(knownIn(theme["locales"])) ?? [];
  const multiVersion = asRecord(known(value, "multiVersion"));
  const markdown = asRecord(knownIn(value["markdown"]));
  unknowns.push(
    ...askOfPrograms([
      ...changingPlugins(markdown["remarkPlugins"]),
      ...changingPlugins(markdown["rehypePlugins"]),
    ]),
  );
  return {
    root,
    content: contentOf(tree, root, value["root"], { unknowns, answers }),
    base: (asText(known(value, "base")) ?? "").replace(/^\/+|\/+$/g, ""),
    title: asText(knownIn(value["title"])),
    isClean: known(route, "cleanUrls") === true,
    extensions: textsIn(known(route, "extensions")) ?? EXTENSIONS,
    excluded: [
      ...(textsIn(known(route, "exclude")) ?? []),
      ...(textsIn(known(route, "excludeConvention")) ?? ["**/_[^_]*"]),
    ],
    language: asText(known(value, "lang")) ?? "",
    languages: locales.flatMap((locale) => asText(locale["lang"]) ?? []),
    version: asText(multiVersion["default"]) ?? "",
    versions: textsIn(multiVersion["versions"]) ?? [],
    menus: menusOf(theme, locales),
    aliases: await aliasesOf(tree, root),
    redirects: redirectsOf(value["plugins"]),
    unknowns,
  };
}

const listOf = (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.map((each) => asRecord(knownIn(each))) : undefined;

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.flatMap((each) => asText(each) ?? []) : undefined;

/** The folder of pages: `docs`, or what `path.join(__dirname, "x")` comes to. */
function contentOf(
  tree: DocsTree,
  root: string,
  value: unknown,
  inquiry: { unknowns: Unknown[]; answers: WantedDocs["answers"] },
): string {
  const usual = joinLocation(root, "docs");
  const call = isRecord(value)
    ? callOf(value, ["join", "resolve", "path.join", "path.resolve"])?.arguments
    : undefined;
  const [, ...parts] = call ?? [];
  const source = isComputed(value) ? value.source : undefined;
  const joined =
    parts.length > 0 && parts.every((each) => typeof each === "string")
      ? parts.join("/")
      : /^[\w.]*\.?(?:join|resolve)\((?:__dirname|import\.meta\.dirname|process\.cwd\(\)),\s*["']([^"']+)["']\)$/.exec(
          source ?? "",
        )?.[1];
  const written = asText(value) ?? joined;
  if (written === undefined) {
    if (value === undefined) return usual;
    const question = `What is root? The configuration computes it: ${source ?? "a call"}`;
    const answer = askedOf(inquiry, { name: "root", question, guess: "docs" });
    return resolveLocation(root, answer.replace(/^\/+/, "")) ?? usual;
  }
  const content = resolveLocation(root, `./${written}`);
  if (content === undefined) inquiry.unknowns.push(askOfFolder(written, "docs"));
  return content !== undefined && tree.below(content).length > 0 ? content : usual;
}

function menusOf(
  theme: Readonly<Record<string, unknown>>,
  locales: readonly Readonly<Record<string, unknown>>[],
): RspressSettings["menus"] {
  const own = { nav: theme["nav"], sidebar: theme["sidebar"] };
  const themed = listOf(knownIn(theme["locales"])) ?? locales;
  const menus = new Map(
    themed.flatMap((locale) => {
      const { lang, nav = own.nav, sidebar = own.sidebar } = locale;
      return typeof lang === "string" && (nav !== undefined || sidebar !== undefined)
        ? [[lang, { nav, sidebar }] as const]
        : [];
    }),
  );
  if (own.nav !== undefined || own.sidebar !== undefined) menus.set("", own);
  return menus;
}

/** What the configuration of TypeScript says that names in imports stand for. */
async function aliasesOf(tree: DocsTree, root: string): Promise<[string, string][]> {
  const config = asRecord((await readConfig(tree, joinLocation(root, "tsconfig.json")))?.value);
  const paths = asRecord(asRecord(config["compilerOptions"])["paths"]);
  return Object.entries(paths).flatMap(([name, places]): [string, string][] => {
    const [first] = asList(places);
    const folder =
      asText(first)?.endsWith("/*") === true
        ? resolveLocation(root, `./${asText(first)?.slice(0, -2)}`)
        : undefined;
    return name.endsWith("/*") && folder !== undefined ? [[name.slice(0, -1), folder]] : [];
  });
}

/** Redirects that the plugin for them is given. Patterns are left out. */
function redirectsOf(plugins: unknown): { from: string; to: string }[] {
  return asList(knownIn(plugins)).flatMap((plugin) => {
    const call =
      isRecord(plugin) && plugin["call"] === "pluginClientRedirects" ? asList(plugin["arguments"]) : [];
    return asList(knownIn(asRecord(call[0])["redirects"])).flatMap((each) => {
      const { from, to } = asRecord(each);
      const target = asText(to)?.replace(/^\/+|\/+$/g, "");
      const plain = asList(Array.isArray(from) ? from : [from]).flatMap((one) => asText(one) ?? []);
      return plain.flatMap((one) =>
        target === undefined || /[\^$*+?()[\]{}|\\]/.test(one)
          ? []
          : [{ from: one.replace(/^\/+|\/+$/g, ""), to: target }],
      );
    });
  });
}
