import { expect, test } from "bun:test";
import { looksLike } from "../../../src/reading/generators/generators.ts";
import { nextra } from "../../../src/reading/generators/nextra/nextra.ts";
import { openFiles } from "./open-files.ts";

const CONFIG = 'import nextra from "nextra";\nexport default nextra({})({});';
const SITE = { "next.config.mjs": CONFIG, "mdx-components.js": "" };

test("Next.js without Nextra is left alone", () => {
  const files = { "next.config.mjs": "export default {};", "content/index.mdx": "# Hello" };
  expect(openFiles(nextra, files)).rejects.toThrow("does not recognize");
});

test("a folder of pages is none of Nextra's because Next.js is configured above it", () => {
  expect(looksLike(["next.config.js", "src/content/a.md"])).toBeUndefined();
  expect(looksLike(["next.config.js", "mdx-components.tsx", "content/a.md"])).toBe("Nextra");
});

test("pages in app have the addresses of their folders, without groups, parts and patterns", async () => {
  const site = await openFiles(nextra, {
    ...SITE,
    "app/page.mdx": "# Home",
    "app/(docs)/guide/page.mdx": "# Guide",
    "app/_parts/page.mdx": "",
    "app/[name]/page.mdx": "",
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["guide", ""]);
});

test("a menu that is computed is asked for, and made from the names of files", async () => {
  const site = await openFiles(nextra, {
    ...SITE,
    "content/_meta.js": "export default await load();",
    "content/b.mdx": "",
    "content/a-to-z.mdx": "",
  });
  expect(site.menu.map(({ label }) => label)).toEqual(["A to Z", "B"]);
  expect(site.unknowns.length).toBe(1);
});

test("one global file orders all folders", async () => {
  const site = await openFiles(nextra, {
    ...SITE,
    "app/_meta.global.js": 'export default { docs: { title: "All", items: { two: "", one: "First" } } };',
    "app/docs/one/page.mdx": "# One",
    "app/docs/two/page.mdx": "# Two",
  });
  expect(site.menu).toEqual([
    {
      label: "All",
      children: [
        { label: "Two", path: "docs/two", children: [] },
        { label: "First", path: "docs/one", children: [] },
      ],
    },
  ]);
});

test("a partial that imports itself is a fault of its page", async () => {
  const site = await openFiles(nextra, {
    ...SITE,
    "content/index.mdx": 'import A from "./a.mdx";\n\n<A />',
    "content/a.mdx": 'import A from "./a.mdx";\n\nWords.\n\n<A />',
  });
  const [page] = site.pages.filter(({ path }) => path === "");
  if (page === undefined) throw new Error("there is no home page");
  const { markdown, faults } = await site.read(page);
  expect(markdown).toContain("Words.");
  expect(faults[0]).toContain("imports itself");
});

test.each([
  "export default nextra({})({ redirects: async () => LIST });",
  "const withNextra = nextra({});\nexport default withNextra({ async redirects() { return LIST; } });",
])("redirects are what the configuration returns: %s", async (code) => {
  const list = "[{ source: '/old/:path*', destination: '/guide/:path*', permanent: true }]";
  const site = await openFiles(nextra, {
    "mdx-components.js": "",
    "next.config.mjs": `import nextra from "nextra";\n${code.replace("LIST", list)}`,
    "content/index.mdx": "# Home",
  });
  expect(site.redirects).toEqual([{ from: "/old/:path*", to: "/guide/:path*" }]);
});

test("redirects that are computed are asked for", async () => {
  const site = await openFiles(nextra, {
    "mdx-components.js": "",
    "next.config.mjs":
      "import nextra from 'nextra';\nexport default nextra({})({ redirects: () => fetch('/x').then(read) });",
    "content/index.mdx": "# Home",
  });
  expect(site.unknowns.map(({ question }) => question)).toEqual([expect.stringContaining("Which redirects")]);
});
