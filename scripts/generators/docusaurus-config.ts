/** What Docusaurus says of a site in one language. */
export interface GivenSite {
  label: string;
  /** Among the languages. */
  order: number;
  isMain: boolean;
  baseUrl: string;
  /** Of the latest version. Those that are not translated are the main language's. */
  pages: { permalink: string; isOwn: boolean }[];
  /** Pages that list a category. */
  indexes: string[];
  menus: { label?: string; items: GivenEntry[] }[];
}

interface GivenEntry {
  label: string;
  href?: string;
  items: GivenEntry[];
}

/** A plugin that writes down what the theme is given. */
export const PLUGIN = `import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const shown = (items) => items.flatMap((item) => {
  if (item.type === "html" || item.unlisted) return [];
  const items = shown(item.items ?? []);
  if (item.type === "category" && items.length === 0 && item.href === undefined) return [];
  return [{ label: item.label, ...(item.href === undefined ? {} : { href: item.href }), items }];
});
const listing = (items) => items.flatMap((item) => item.type !== "category" ? [] : [
  ...(item.link?.type === "generated-index" ? [item.link.permalink] : []), ...listing(item.items)]);

export default function givenSite() {
  return {
    name: "given-site",
    async postBuild({ siteDir, generatedFilesDir, baseUrl, i18n, siteConfig, plugins }) {
      const { currentLocale: locale, defaultLocale, locales, localeConfigs } = i18n;
      const names = new Map((siteConfig.themeConfig.navbar?.items ?? []).map(({ sidebarId, label }) => [sidebarId, label]));
      const given = { label: localeConfigs[locale].label, order: locale === defaultLocale ? -1 : locales.indexOf(locale),
        isMain: locale === defaultLocale, baseUrl, pages: [], indexes: [], menus: [] };
      const add = ({ permalink, source }) =>
        given.pages.push({ permalink, isOwn: given.isMain || source.startsWith("@site/" + i18n.path + "/") });
      const blogs = [];
      for (const { name, options, content } of plugins) {
        if (name === "docusaurus-plugin-content-docs") {
          const version = content.loadedVersions.find(({ isLast }) => isLast);
          version.docs.forEach(add);
          for (const items of Object.values(version.sidebars)) given.indexes.push(...listing(items));
          const folder = join(generatedFilesDir, name, options.id, "p");
          const said = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")).version);
          // Those of another language would be found beside the next one's.
          for (const file of readdirSync(folder)) rmSync(join(folder, file));
          const sidebars = Object.entries(said.find((each) => each?.isLast)?.docsSidebars ?? {});
          for (const [id, items] of sidebars)
            given.menus.push({ ...(sidebars.length === 1 ? {} : { label: names.get(id) ?? id }), items: shown(items) });
        } else if (name === "docusaurus-plugin-content-blog") {
          content.blogPosts.forEach(({ metadata }) => add(metadata));
          const items = content.blogPosts.filter(({ metadata }) => !metadata.unlisted)
            .map(({ metadata }) => ({ label: metadata.title, href: metadata.permalink, items: [] }));
          if (items.length > 0) blogs.push({ label: "Blog", items });
        } else if (name === "docusaurus-plugin-content-pages")
          content.filter(({ type }) => type === "mdx").forEach(add);
      }
      // Collections have no order among each other: blogs come last.
      given.menus.push(...blogs);
      writeFileSync(join(siteDir, "given-site-" + locale + ".json"), JSON.stringify(given));
    },
  };
}
`;

/** A configuration with that plugin. Of somebody's site, it keeps what says where pages are. */
export const CONFIG = (own: string, isForeign: boolean) => `import given from "./${own}";
import givenSite from "./given-site.mjs";

const listed = (uses) => (uses ?? []).filter(Boolean).map((use) => (Array.isArray(use) ? use : [use, {}]))
  .filter(([name]) => typeof name === "string");
const contentOf = (config) => [
  ...listed(config.presets).filter(([name]) => /classic$/.test(name)).flatMap(([, options = {}]) =>
    ["docs", "blog", "pages"].filter((kind) => options[kind] !== false).map((kind) => [kind, options[kind]])),
  ...listed(config.plugins).flatMap(([name, options]) => {
    const kind = /content-(docs|blog|pages)$/.exec(name)?.[1];
    return kind === undefined ? [] : [[kind, options]];
  }),
];
const KEPT = ["id", "path", "routeBasePath", "include", "exclude", "sidebarPath", "numberPrefixParser", "sidebarItemsGenerator",
  "lastVersion", "versions", "onlyIncludeVersions", "disableVersioning", "includeCurrentVersion", "admonitions", "authorsMapPath",
  "archiveBasePath", "tagsBasePath", "pageBasePath", "breadcrumbs"];
const plain = ({ title, url, baseUrl, trailingSlash, i18n, markdown = {}, themeConfig = {}, customFields, ...config }) => ({
  title, url, baseUrl, trailingSlash, i18n, customFields,
  onBrokenLinks: "ignore", onBrokenAnchors: "ignore", onDuplicateRoutes: "ignore",
  markdown: { format: markdown.format, mdx1Compat: markdown.mdx1Compat, anchors: markdown.anchors,
    hooks: { onBrokenMarkdownLinks: "ignore", onBrokenMarkdownImages: "ignore" } },
  plugins: [...contentOf(config).map(([kind, options = {}]) => ["@docusaurus/plugin-content-" + kind, {
    ...Object.fromEntries(KEPT.filter((name) => name in options).map((name) => [name, options[name]])),
    ...(kind === "blog" ? { feedOptions: { type: null }, onInlineTags: "ignore", onInlineAuthors: "ignore", onUntruncatedBlogPosts: "ignore" } : {}),
  }]), givenSite],
  themes: ["@docusaurus/theme-classic"],
  themeConfig: { navbar: { title, items: (themeConfig.navbar?.items ?? []).filter(({ type, label }) => type === "docSidebar" && label) } },
});
export default async () => {
  const config = typeof given === "function" ? await given() : given;
  return ${isForeign ? "plain(config)" : "{ ...config, plugins: [...config.plugins, givenSite] }"};
};
`;
