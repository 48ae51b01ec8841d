import { expect, test } from "bun:test";
import { recognizeFiles } from "./open-files.ts";

const FILES = {
  "mkdocs.yml":
    "nav: [{Home: index.md}, {Guide: [{Start: guide/start.md}, {Elsewhere: 'https://x.example/'}]}, {API: [api/a.md]}]\nplugins: [{redirects: {redirect_maps: {old.md: guide/start.md, gone.md: api/a.md}}}]\n",
  "docs/index.md": "# Home",
  "docs/guide/start.md": "# Start",
  "docs/api/a.md": "# A",
};

const siteWithin = (within: string) => recognizeFiles(FILES, { within });

test("of a part of docs there are its pages, with their place in the menu and what redirects to them", async () => {
  const site = await siteWithin("docs/guide");
  expect(site?.pages.map(({ path }) => path)).toEqual(["guide/start"]);
  expect(site?.menu).toEqual([
    {
      label: "Guide",
      children: [
        { label: "Start", path: "guide/start", children: [] },
        { label: "Elsewhere", href: "https://x.example/", children: [] },
      ],
    },
  ]);
  expect(site?.redirects.map(({ from }) => from)).toEqual(["old"]);
});

test("a folder in which there is no page of any docs is no part of them", async () => {
  expect(await siteWithin("notes")).toBeUndefined();
});
