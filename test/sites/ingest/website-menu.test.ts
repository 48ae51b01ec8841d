import { expect, test } from "bun:test";
import type { MenuEntry } from "../../../src/reading/page/menu.ts";
import { startFakeSite } from "../../helpers/fake-site.ts";
import { listContext } from "../../helpers/list-context.ts";
import { runReader, websiteReader } from "../../helpers/read-site.ts";

const NAMES = ["zebra", "apple", "mango"];

const page = (current: string) => ({
  headers: { "content-type": "text/html", etag: `"${current}"` },
  body: `<title>${current}</title><nav><ul>${NAMES.map(
    (name) =>
      `<li><a href="/docs/${name}/"${name === current ? ' aria-current="page"' : ""}>The ${name}</a></li>`,
  ).join("")}</ul></nav><main><p>${current}</p></main>`,
});

const site = () =>
  startFakeSite({
    "/docs/": page("docs"),
    ...Object.fromEntries(NAMES.map((name) => [`/docs/${name}/`, page(name)])),
  });

const entry = (label: string, path: string): MenuEntry => ({ label, path, children: [] });

test("the menu of a website is what its pages show, once all of them were visited", async () => {
  await using pages = site();
  const told: MenuEntry[][] = [];
  const context = { ...listContext(), onMenu: (menu: MenuEntry[]) => void told.push(menu) };
  const reader = websiteReader(pages, { start: `${pages.url}/docs/` });
  const { memory, error } = await runReader(reader, {}, context);
  expect(error).toBeUndefined();
  expect(told).toEqual([
    [
      entry("The zebra", "docs/zebra"),
      entry("The apple", "docs/apple"),
      entry("The mango", "docs/mango"),
      { label: "", isRest: true, children: [] },
    ],
  ]);

  // Where pages are as they were, and were not sent again, their menu is as it was, too.
  let kept = 0;
  const again = {
    ...listContext(undefined, memory),
    onMenu: () => void told.push([]),
    keepDocs: () => void kept++,
  };
  await runReader(reader, memory, again);
  expect(told).toHaveLength(1);
  expect(kept).toBe(1);
});
