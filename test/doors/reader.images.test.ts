import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createFolderReader } from "../../src/reading/sources/folder/folder.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { pngBytes, SVG } from "../helpers/image-bytes.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const DAY_MS = 24 * 3600 * 1000;
const PAGE = `# Page

![A blue field](a.png "Blue") ![A circle](circle.svg)

![](a.png) ![](gone.png) ![In words](gone.png)

<img src="a.png" width="2" onerror="alert(1)">
`;

const folder = temporaryDirectory();
let docent: TestDocent;
let now = Date.now();
beforeAll(async () => {
  docent = await startDocent({ docs: null, clock: () => now });
  await Bun.write(join(folder.path, "page.md"), PAGE);
  await Bun.write(join(folder.path, "a.png"), pngBytes(4, 6));
  await Bun.write(join(folder.path, "circle.svg"), SVG);
  const { people, sources } = docent.app.parts;
  for (const [domain, isPublic] of [
    ["open", true],
    ["closed", false],
  ] as const) {
    const site = await people.sites.add({ domain, name: domain, settings: { public: isPublic } });
    await sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
      reader: createFolderReader({ root: folder.path, fileBytesMax: 100_000 }),
      generation: 0,
      signal: new AbortController().signal,
    });
  }
});
afterAll(async () => {
  await docent.close();
  folder[Symbol.dispose]();
});

const get = (path: string) => fetch(`${docent.url}${path}`, { redirect: "manual" });
const imagesIn = (html: string) => html.match(/<img [^>]*>/g) ?? [];
const sourcesIn = (html: string) =>
  imagesIn(html).map((tag) => (/src="([^"]*)"/.exec(tag)?.[1] ?? "").replaceAll("&amp;", "&"));

/** The page of the site that is not public, by a link of its own. */
async function signedPage(): Promise<string> {
  const { people } = docent.app.parts;
  const site = await people.sites.get("closed");
  const link = `/sites/closed/page${people.readerLinks.query(site, { groups: [], path: "page" })}`;
  return (await get(link)).text();
}

describe("images in the reader", () => {
  test("are shown at their size, or at the width that the page gives them, with their descriptions", async () => {
    const html = await (await get("/sites/open/page")).text();
    const [first = "", circle = "", empty = "", raw = ""] = imagesIn(html);
    expect(first).toMatch(
      /^<img src="\/sites\/open\/~images\/[0-9a-f]{64}\.png" alt="A blue field" title="Blue" width="4" height="6" loading="lazy">$/,
    );
    expect(circle).toMatch(
      /~images\/[0-9a-f]{64}\.svg" alt="A circle" width="120" height="80" loading="lazy">$/,
    );
    expect(empty).toContain('alt="" width="4"');
    expect(raw).toContain('alt="" width="2" height="3" loading="lazy">');
    expect(imagesIn(html)).toHaveLength(4);
    expect(html).toContain('<span class="picture">In words</span>');
  });

  test("are what the source holds, under headers that let nothing run", async () => {
    const [png = "", svg = ""] = sourcesIn(await (await get("/sites/open/page")).text());
    const reply = await get(png);
    expect(reply.status).toBe(200);
    expect(new Uint8Array(await reply.arrayBuffer())).toEqual(pngBytes(4, 6));
    const drawn = await get(svg);
    expect(await drawn.text()).toBe(SVG);
    for (const [{ headers }, type] of [
      [reply, "image/png"],
      [drawn, "image/svg+xml"],
    ] as const) {
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      );
      expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("are at one address alone", async () => {
    const [png = ""] = sourcesIn(await (await get("/sites/open/page")).text());
    for (const path of [
      png.replace(".png", ".svg"),
      png.replace(".png", ""),
      png.replace("/open/", "/nobody/"),
      png.replace(/[0-9a-f]{64}/, "0".repeat(64)),
      "/sites/open/~images/",
      "/sites/open/~images/..%2Fa.png",
    ])
      expect((await get(path)).status, path).toBe(404);
  });

  test("of a site that is not public need a signature, each its own, which ends with the page's", async () => {
    const [png = "", svg = ""] = sourcesIn(await signedPage());
    expect((await get(png)).status).toBe(200);
    const [plain = "", signature = ""] = png.split("?");
    const without = await get(plain);
    expect(without.status).toBe(404);
    expect(await without.text()).toBe(await (await get("/sites/closed/nothing")).text());
    expect((await get(`${svg.split("?")[0]}?${signature}`)).status).toBe(404);
    expect((await get(`/sites/closed/page?${signature}`)).status).toBe(404);
    const [open = ""] = sourcesIn(await (await get("/sites/open/page")).text());
    expect((await get(open.replace("/open/", "/closed/"))).status).toBe(404);
    now += 30 * DAY_MS;
    expect((await get(png)).status).toBe(404);
  });

  test("that only pages for some show need a signature on a public site too, which ends", async () => {
    const { people, sources } = docent.app.parts;
    const site = await people.sites.add({ domain: "some", name: "some", settings: { public: true } });
    using docs = temporaryDirectory();
    await Bun.write(join(docs.path, "_access.yml"), '"hr/**": [hr]\n');
    await Bun.write(join(docs.path, "hr/pay.md"), "# Pay\n\n![Pay](pay.png) ![Logo](/logo.png)\n");
    await Bun.write(join(docs.path, "open.md"), "# Open\n\n![Logo](/logo.png)\n");
    await Bun.write(join(docs.path, "hr/pay.png"), pngBytes(2, 3));
    await Bun.write(join(docs.path, "logo.png"), pngBytes(5, 5));
    await sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: docs.path, version: "", language: "" },
      reader: createFolderReader({ root: docs.path, fileBytesMax: 100_000 }),
      generation: 0,
      signal: new AbortController().signal,
    });
    const pathOf = (bytes: Uint8Array) => `~images/${Bun.SHA256.hash(bytes, "hex")}.png`;
    const address = (path: string, groups: string[] = []) =>
      `/sites/some/${path}${people.readerLinks.fileQuery(site, { path, groups })}`;
    const statusOf = async (path: string) => (await get(path)).status;
    const pay = pathOf(pngBytes(2, 3));
    const signed = address(pay, ["hr"]);
    expect(signed).toContain("signature=");
    expect(await statusOf(address(pay))).toBe(404);
    expect(await statusOf(signed)).toBe(200);
    expect(await statusOf(address(pathOf(pngBytes(5, 5))))).toBe(200);
    const [logo = ""] = sourcesIn(await (await get("/sites/some/open")).text());
    expect(logo).not.toContain("signature=");
    expect(await statusOf(logo)).toBe(200);
    now += 30 * DAY_MS;
    expect(await statusOf(signed)).toBe(404);
  });
});
