import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { PublishedSite } from "../../../scripts/generators/published.ts";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { type DocsTree, recognizeSite } from "../../../src/reading/generators/generators.ts";
import { expectSameDropped } from "./dropped.ts";
import { contentsOfFolder, publishedBy, RECORDED } from "./published.ts";

// A folder for each generator: `site` is what it was given, `published.json` what it made of that, written by
// `make generators`.
const names = readdirSync(RECORDED).filter((name) => existsSync(join(RECORDED, name, "published.json")));

describe.each(names)("%s", (name) => {
  const folder = join(RECORDED, name);
  const ours = publishedBy(join(folder, "site")).then(({ published }) => published);
  const theirs: Promise<PublishedSite> = Bun.file(join(folder, "published.json")).json();

  test("is recognized", async () => {
    expect((await theirs).generator).toStartWith((await ours).generator);
  });

  test("publishes the same addresses", async () => {
    expect((await ours).pages.map(({ path }) => path)).toEqual((await theirs).pages.map(({ path }) => path));
  });

  test("gives each page the same title", async () => {
    expect(byPage(await ours, ({ title }) => title)).toEqual(byPage(await theirs, ({ title }) => title));
  });

  test("gives each heading the same id", async () => {
    const ids = ({ headings }: PublishedSite["pages"][number]) => headings.map(({ id }) => id);
    expect(byPage(await ours, ids)).toEqual(byPage(await theirs, ids));
  });

  test("links to the same pages and places", async () => {
    expect(byPage(await ours, ({ links }) => links)).toEqual(byPage(await theirs, ({ links }) => links));
  });

  test("marks every place that links lead to and that is no heading", async () => {
    const own = new Map((await ours).pages.map((page) => [page.path, new Set(page.places)]));
    const missing = (await theirs).pages.flatMap(({ path, places = [] }) =>
      places.filter((id) => !own.get(path)?.has(id)).map((id) => `${path}#${id}`),
    );
    expect(missing).toEqual([]);
  });

  test("is the same when its folder is dropped into the browser", async () => {
    const open = (tree: DocsTree) => recognizeSite(tree, { clock: systemClock });
    await expectSameDropped(await contentsOfFolder(join(folder, "site")), open);
  });

  test("has the same menu", async () => {
    expect((await ours).menu).toEqual((await theirs).menu);
  });
});

const byPage = <T>({ pages }: PublishedSite, of: (page: PublishedSite["pages"][number]) => T) =>
  Object.fromEntries(pages.map((page) => [page.path, of(page)]));
