import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

// Nuxt Content keeps its pages in SQLite, for which it wants a Node that has it.
const PINS = JSON.stringify({
  private: true,
  dependencies: { "@nuxt/content": "3.16.1", node: "24.11.0", nuxt: "4.4.5" },
});

/** Pages as Nuxt Content shows them, with its menu, and with links to all so that all are written. */
const APP = `<script setup lang="ts">
const route = useRoute();
const path = route.path.replace(/(.)\\/$/, "$1");
const names = ["docs", "landing", "posts"] as const;
const { data } = await useAsyncData(path, async () => {
  const all = await Promise.all(names.map((name) => queryCollection(name).all()));
  return {
    page: all.flat().find((page) => page.path === path),
    paths: all.flat().map((page) => page.path),
    menu: await queryCollectionNavigation("docs"),
  };
});
useHead({ title: data.value?.page?.title });
</script>
<template>
  <ul class="menu"><MenuEntry v-for="entry in data?.menu" :key="entry.path" :entry="entry" /></ul>
  <main><ContentRenderer v-if="data?.page" :value="data.page" /></main>
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
    if (isForeign) throw new NotHere("its pages are drawn by a theme of each site's own");
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await Bun.write(join(source, "app", "app.vue"), APP);
    for (const [name, text] of Object.entries(COMPONENTS))
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
    return {
      folder: into,
      generator: "Nuxt Content 3.16.1",
      base: "/",
      leaves: (file) => /^(?:200|404)\.html$/.test(file),
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
