import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeSite, startFakeSite } from "../helpers/fake-site.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
let site: FakeSite;
beforeAll(async () => {
  place = createWorkplace({ DOCENT_PRIVATE_HOSTS: "127.0.0.1" });
  const heading = (id: string) => `<h2 id="${id}">Kept</h2><p>Words of it.</p>`;
  site = startFakeSite({
    "/": `<main><h1>Docs</h1><p><a href="/v5/target.html">Target</a></p></main>`,
    "/v5/target.html": `<title>Target</title><main><h1 id="T">Target</h1>${heading("Kept!")}</main>`,
  });
  mkdirSync(join(place.folder, "docs"));
  for (let at = 0; at < 9; at++) write(`p${at}.md`, `# Page ${at}\n\n[Up](target.md#Kept!)\n`);
  write("target.md", "# Target\n\n## Kept\n\nWords of it.\n");
  await place.run("sites", "add", "acme", "--url", site.url);
});
afterAll(async () => {
  await site.stop();
  place.dispose();
});

const write = (name: string, text: string) => writeFileSync(join(place.folder, "docs", name), text);
const sources = async () => JSON.parse((await place.run("sources", "list", "acme", "--json")).out);

test("where links lead nowhere, the run offers to look at the published site, and asks nothing there by itself", async () => {
  const { err } = await place.run("ingest", "acme", "docs");
  expect(err).toStartWith(
    "This does not look like your site: 9 of 9 links between these pages lead nowhere.",
  );
  expect(err).toContain("docent sources set acme 1 --published https://…\n");
  expect([site.asked(), (await sources())[0].published]).toEqual([[], null]);
});

test("the published address is set, used by the next run, and taken back", async () => {
  const set = await place.run("sources", "set", "acme", "1", "--published", site.url);
  expect([set.code, set.out]).toEqual([
    0,
    `The pages of ${join(place.folder, "docs")} have the addresses of ${site.url}/. Read it: docent sources run acme 1\n`,
  ]);
  expect(site.asked()).toEqual([]);
  expect((await sources())[0].published).toBe(`${site.url}/`);
  const { out, err, code } = await place.run("sources", "run", "acme", "1");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toEndWith(
    `1 of 10 pages were found on ${site.url}/; 9 are cited by the address that their source tells.\n`,
  );
  expect((await sources())[0].lastRun.counts).toMatchObject({
    publishedPages: 10,
    publishedFound: 1,
    publishedKept: 0,
    linksLost: 0,
  });
  const none = await place.run("sources", "set", "acme", "1", "--published", "none", "--json");
  expect(JSON.parse(none.out).published).toBeNull();
  expect((await place.run("audit", "--json")).out).toContain('"published"');
});

test("an address that none of the pages is below is asked about", async () => {
  const [out, err] = await place
    .run("ingest", "acme", "docs", "--published", `${site.url}/nowhere/`)
    .then((ran) => [ran.out, ran.err]);
  expect(out).toContain(`0 of 10 pages were found on ${site.url}/nowhere/; `);
  expect(err).toContain("note: none of them is there. Is that the address below which they are published?\n");
});

test("what is no published address is refused, and so is a change of nothing", async () => {
  for (const words of [["--published", "docs"], []])
    expect((await place.run("sources", "set", "acme", "1", ...words)).code).toBe(1);
});
