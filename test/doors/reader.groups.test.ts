import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createFolderReader } from "../../src/reading/sources/folder/folder.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { pngBytes } from "../helpers/image-bytes.ts";
import { letReadersSignIn } from "../helpers/signed-in-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { questionV2 } from "../helpers/ui-message.ts";

// Links to pages that are for groups, on sites that everybody else may read: rights are asked when a link is opened.

const MINUTE_MS = 60_000;
const QUESTION = "How many quatloos are in the salary of grade seven?";

let docent: TestDocent;
let now = Date.UTC(2026, 5, 1);
beforeAll(async () => {
  docent = await startDocent({ clock: () => now, docs: null });
  for (const domain of ["some", "none"]) await addSite(domain, domain === "some");
});
afterAll(() => docent.close());

async function addSite(domain: string, isPublic: boolean): Promise<void> {
  const { people, sources } = docent.app.parts;
  const site = await people.sites.add({ domain, name: domain, settings: { public: isPublic } });
  using docs = temporaryDirectory();
  await Bun.write(join(docs.path, "_access.yml"), '"hr/**": [hr]\n');
  await Bun.write(
    join(docs.path, "hr/pay.md"),
    "# Salaries\n\nThe salary of grade seven is forty quatloos.\n\n![Pay](pay.png)\n",
  );
  await Bun.write(join(docs.path, "hr/pay.png"), pngBytes(2, 3));
  await Bun.write(join(docs.path, "open.md"), "# Open\n\nThe cafeteria opens at noon.\n");
  await sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: docs.path, version: "", language: "" },
    reader: createFolderReader({ root: docs.path, fileBytesMax: 100_000 }),
    generation: 0,
    signal: new AbortController().signal,
  });
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(docent.url + path, { headers, redirect: "manual" });
const seconds = () => ({ iat: Math.floor(now / 1000), exp: Math.floor(now / 1000) + 300 });

describe.each(["some", "none"])("on the site %s, which is public or not", (domain) => {
  test("an answer's link to a group's page opens it for nobody but who is in the group then", async () => {
    const site = await letReadersSignIn(docent, domain, { readers: "public" });
    const inGroup = await site.as("ada", { ...seconds(), groups: ["hr"] });
    const reply = await docent.post(questionV2(QUESTION), { version: "v2", domain, headers: inGroup });
    const wire = await reply.text();
    const [link = ""] = /http:\/\/[^"\s)\\]*hr\/pay[^"\s)\\#]*/.exec(wire) ?? [];
    expect(link).not.toBe("");
    expect(link).not.toContain("signature=");
    const path = link.slice(docent.url.length);
    expect((await get(path)).status).toBe(404);
    expect((await get(path, await site.as("ada", { ...seconds(), groups: [] }))).status).toBe(404);
    const shown = await get(path, inGroup);
    // Who reads a site that is not public, a token does not say on the reader site.
    expect(shown.status).toBe(200);
    const text = await shown.text();
    expect(text).toContain("forty quatloos");
  });

  test("a signature that was good for it before opens it for nobody", async () => {
    const { people } = docent.app.parts;
    const site = await people.sites.get(domain);
    const closed = { ...site, settings: { ...site.settings, public: false } };
    const query = people.readerLinks.query(closed, { path: "hr/pay", groups: [] });
    expect(query).toContain("signature=");
    expect((await get(`/sites/${domain}/hr/pay${query}`)).status).toBe(404);
    const open = people.readerLinks.query(closed, { path: "open", groups: [] });
    expect((await get(`/sites/${domain}/open${open}`)).status).toBe(200);
  });

  test("its images are opened by an address that is good for minutes", async () => {
    const site = await letReadersSignIn(docent, domain, { readers: "public" });
    const page = await get(`/sites/${domain}/hr/pay`, await site.as("ada", { ...seconds(), groups: ["hr"] }));
    const [, image = ""] = /src="([^"]*~images[^"]*)"/.exec(await page.text()) ?? [];
    const address = image.replaceAll("&amp;", "&");
    const shown = await get(address);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, max-age=3600"]);
    now += 61 * MINUTE_MS;
    expect((await get(address)).status).toBe(404);
  });
});
