import { expect, test } from "bun:test";
import { join } from "node:path";
import { looksUnlike } from "../../../src/kernel/text/lost-links/lost-links.ts";
import { openPublishedSource } from "../../helpers/published-source.ts";

// A site of ours that makes addresses and ids by a program of its own, and what VitePress published of it.

const FIXTURE = join(import.meta.dir, "../../fixtures/published/vitepress");

function serveBuilt() {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const name = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
      const file = Bun.file(join(FIXTURE, "built", name));
      return (await file.exists()) ? new Response(file) : new Response("gone", { status: 404 });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** How many of the addresses, and of the places that citations lead to, the published site does not have. */
async function wrongIn(url: string, anchors: Record<string, string[]>) {
  const wrong = { addresses: 0, ids: 0 };
  for (const [path, ids] of Object.entries(anchors)) {
    const reply = await fetch(`${url}/${path}`);
    const html = await reply.text();
    if (!reply.ok) wrong.addresses += 1;
    wrong.ids += ids.filter((id) => !html.includes(` id="${id}"`)).length;
  }
  return wrong;
}

const count = (anchors: Record<string, string[]>) => Object.values(anchors).flat().length;

test("without its address, a site with a program of its own is read wrongly, and the run says so", async () => {
  await using site = serveBuilt();
  using it = await openPublishedSource({ folder: join(FIXTURE, "site") });
  const { links, published, docs } = await it.run({ url: site.url });
  expect(docs?.generator).toStartWith("VitePress");
  expect([published, links && looksUnlike(links)]).toEqual([undefined, true]);
  const wrong = await wrongIn(site.url, it.anchors());
  expect(wrong.addresses).toBe(3);
  expect(wrong.ids).toBeGreaterThan(0.9 * count(it.anchors()));
});

test("with it, every address and every id is that of the site, and links lead there", async () => {
  await using site = serveBuilt();
  using it = await openPublishedSource({ folder: join(FIXTURE, "site") });
  const { links, published } = await it.run({ url: site.url, published: `${site.url}/` });
  expect(published).toEqual({ address: `${site.url}/`, pages: 6, found: 6, kept: 0, why: undefined });
  const anchors = it.anchors();
  expect(await wrongIn(site.url, anchors)).toEqual({ addresses: 0, ids: 0 });
  expect(count(anchors)).toBe(17);
  expect(links).toEqual({ links: 12, lost: 0, examples: [] });
});

test("a site that was read wrongly before has its addresses after one run, and the old ones lead to them", async () => {
  await using site = serveBuilt();
  using it = await openPublishedSource({ folder: join(FIXTURE, "site") });
  await it.run({ url: site.url });
  const report = await it.run({ url: site.url, published: `${site.url}/` });
  expect(report).toMatchObject({ added: 3, removed: 3, changed: 3, unchanged: 0 });
  expect(await wrongIn(site.url, it.anchors())).toEqual({ addresses: 0, ids: 0 });
  const redirects = await it.it.storage.ingest.redirects((await it.runs.list(it.it.site.id))[0] ?? never());
  expect(redirects).toContainEqual({ from: "api/mixing", to: "reference/v5/mixing.html" });
  expect(await it.run({ url: site.url })).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 6 });
});

function never(): never {
  throw new Error("the source is not there");
}
