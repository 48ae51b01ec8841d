import { readdirSync } from "node:fs";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

// Nuxt Content keeps its pages in SQLite, for which it wants a Node that has it.
const PINS = JSON.stringify({
  private: true,
  dependencies: { "@nuxt/content": "3.16.1", node: "24.11.0", nuxt: "4.4.5" },
});

/** The collections of pages that are shown, of which the first has the menu. */
interface Shown {
  names: readonly string[];
  /** The theme Docus shows what is in the folder of docs, and not the folder. */
  isDocus?: boolean;
}

/** Pages as Nuxt Content shows them, with its menu, and with links to all so that all are written. */
const APP = ({ names, isDocus = false }: Shown) => `<script setup lang="ts">
const route = useRoute();
const path = route.path.replace(/(.)\\/$/, "$1");
const names = ${JSON.stringify(names)} as any[];
const { data } = await useAsyncData(path, async () => {
  const all = await Promise.all(names.map((name) => queryCollection(name).all()));
  return {
    page: all.flat().find((page) => page.path === path),
    paths: all.flat().map((page) => page.path),
    menu: (await queryCollectionNavigation(names[0])).flatMap((entry) => ${isDocus} && entry.path === "/docs" ? entry.children : [entry]),
  };
});
if (data.value?.page == null && path !== "/") throw createError({ statusCode: 404 });
useHead({ title: data.value?.page?.title });
</script>
<template>
  <ul class="menu"><MenuEntry v-for="entry in data?.menu" :key="entry.path" :entry="entry" /></ul>
  <main v-if="data?.page"><ContentRenderer :value="data.page" /></main>
  <p><a v-for="each in data?.paths" :key="each" :href="each">{{ each }}</a></p>
</template>
`;
/** As the themes show it: a folder whose own page is among its entries is a title alone. */
const MENU_ENTRY = `<script setup lang="ts">
const { entry } = defineProps<{ entry: { title: string; path: string; page?: boolean; children?: any[] } }>();
const isTitle = entry.page === false || entry.children?.some(({ path }) => path === entry.path);
</script>
<template>
  <li>
    <template v-if="isTitle">{{ entry.title }}</template><a v-else :href="entry.path">{{ entry.title }}</a>
    <ul v-if="entry.children"><MenuEntry v-for="each in entry.children" :key="each.path" :entry="each" /></ul>
  </li>
</template>
`;
const CARD = `<script setup lang="ts">
defineProps<{ title?: string; to?: string }>();
</script>
<template><div><a :href="to">{{ title }}</a><slot /></div></template>
`;

const COMPONENTS = {
  "MenuEntry.vue": MENU_ENTRY,
  "content/Card.vue": CARD,
  "content/CardGroup.vue": "<template><div><slot /></div></template>",
  "content/Note.vue": "<template><div><slot /></div></template>",
  "content/Badge.vue": "<template><span><slot /></span></template>",
  "content/Steps.vue": "<template><div><slot /></div></template>",
  "content/CodeGroup.vue": "<template><div><slot /></div></template>",
  "content/UPageHero.vue": '<template><div><slot name="title" /><slot name="description" /></div></template>',
};

/** Nuxt Content without a theme. */
export const nuxtContent: Judge = {
  name: "nuxt-content",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    const shown = isForeign ? await simplify(source) : { names: ["docs", "landing", "posts"] };
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await Bun.write(join(source, "app", "app.vue"), APP(shown));
    for (const [name, text] of Object.entries(COMPONENTS))
      if (!isForeign || name === "MenuEntry.vue")
        await Bun.write(join(source, "app", "components", name), text);
    await rename(join(source, "nuxt.config.mjs"), join(source, "own.config.mjs"));
    await Bun.write(join(source, "nuxt.config.mjs"), CONFIG);
    const program = join(installed, "node_modules", ".bin");
    await runBounded([join(program, "node"), join(program, "nuxt"), "generate"], {
      untilMs,
      folder: source,
      environment: { NUXT_TELEMETRY_DISABLED: "1" },
    });
    await rename(join(source, ".output", "public"), into);
    const hasHome = (await Bun.file(join(into, "index.html")).text()).includes("<main");
    return {
      folder: into,
      generator: "Nuxt Content 3.16.1",
      base: "/",
      // Where the docs have no home page, that is only the way to the others.
      leaves: (file) => /^(?:200|404)\.html$/.test(file) || (file === "index.html" && !hasHome),
      addressOf: (file) => file.replace(/(?:(?:^|\/)index)?\.html$/, ""),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      menu: { page: "index.html", isMenu: ({ classes }) => classes.has("menu") },
    };
  },
};

const CONFIG = `import own from "./own.config.mjs";
export default { ...own, compatibilityDate: "2026-01-01", experimental: { payloadExtraction: false },
  content: { renderer: { anchorLinks: false }, experimental: { sqliteConnector: "native" }, build: { markdown: { highlight: false } } },
  nitro: { prerender: { autoSubfolderIndex: false, crawlLinks: true, failOnError: false, routes: ["/"] } } };
`;

const PAGES = /\b(\w+)\s*:\s*defineCollection\(\s*\{\s*type\s*:\s*["']page["']/g;

/**
 * Leaves nothing of somebody's site but its pages and what says where they are, with components that show what is in
 * them in the place of its own. Returns the collections of pages, with docs first.
 */
async function simplify(source: string): Promise<Shown> {
  const configs = [...new Bun.Glob("content.config.*").scanSync({ cwd: source })];
  const config = configs[0] === undefined ? "" : await Bun.file(join(source, configs[0])).text();
  const names = [...config.matchAll(PAGES)].map(([, name = ""]) => name);
  if (names.length === 0) throw new NotHere("its collections of pages are not in its own configuration");
  const [own = ""] = [...new Bun.Glob("nuxt.config.*").scanSync({ cwd: source })];
  const isDocus = own !== "" && /\bextends\b.*docus/.test(await Bun.file(join(source, own)).text());
  for (const entry of readdirSync(source))
    if (entry !== "content" && !configs.includes(entry)) await rm(join(source, entry), { recursive: true });
  await Bun.write(join(source, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await Bun.write(join(source, "nuxt.config.mjs"), 'export default { modules: ["@nuxt/content"] };');
  for (const file of new Bun.Glob("content/**/*.md").scanSync({ cwd: source }))
    for (const [, name = ""] of (await Bun.file(join(source, file)).text()).matchAll(
      /(?:^|\s|\[)(?<!`):+([a-z][\w-]*)/gm,
    ))
      await Bun.write(join(source, "app", "components", "content", `${pascal(name)}.vue`), SHOWS_SLOTS);
  return { names: names.sort((a, b) => Number(b === "docs") - Number(a === "docs")), isDocus };
}

/** A component that shows all that it is given, and leads where it says. */
const SHOWS_SLOTS = `<script setup lang="ts">
defineOptions({ inheritAttrs: false });
</script>
<template>
  <div><a v-if="$attrs.to" :href="$attrs.to">{{ $attrs.title }}</a><slot v-for="(_, name) in $slots" :name="name" /></div>
</template>
`;

const pascal = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
