import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
let site = 0;
beforeAll(() => {
  place = createWorkplace();
});
beforeEach(async () => {
  site += 1;
  await place.run("sites", "add", `acme${site}`);
  rmSync(join(place.folder, "docs"), { recursive: true, force: true });
  mkdirSync(join(place.folder, "docs"));
});
afterAll(() => place.dispose());

const write = (name: string, text: string) => writeFileSync(join(place.folder, "docs", name), text);
const ingest = (...more: string[]) => place.run("ingest", `acme${site}`, "docs", ...more);
const lastRun = async () =>
  JSON.parse((await place.run("sources", "list", `acme${site}`, "--json")).out)[0].lastRun;

/** Pages whose links to a heading lead there, as far as `lost` of them do not. */
function writePages({ links, lost }: { links: number; lost: number }): void {
  for (let at = 0; at < links; at++)
    write(`p${at}.md`, `# Page ${at}\n\n[Up](target.md#${at < lost ? `gone-${at}` : "kept"})\n`);
  write("target.md", "# Target\n\n## Kept\n\nWords.\n");
}

test("a run says of how many links between its pages nothing is there, and where nearly all lead somewhere, that is all", async () => {
  writePages({ links: 40, lost: 1 });
  const { err, code } = await ingest();
  expect(code).toBe(0);
  expect(err).toBe(
    `note: 1 of 40 links between these pages lead nowhere (docent sites fidelity acme${site} lists them).\n`,
  );
  expect((await lastRun()).counts).toMatchObject({ links: 40, linksLost: 1 });
});

test("a run whose pages do not fit each other says that this is not the site, with some of the links", async () => {
  writePages({ links: 20, lost: 6 });
  const { err } = await ingest();
  expect(err).toStartWith(
    "This does not look like your site: 6 of 20 links between these pages lead nowhere.\n  /p0: target.md#gone-0\n",
  );
  expect(err).toContain(`docent sites fidelity acme${site} lists them.`);
});

test("a link to a page that is not there is lost as well; one to another site, a file or the page's top is not", async () => {
  write(
    "a.md",
    "# A\n\n[b](b.md) [c](c.md) [out](https://example.org/x) [file](tool.zip) [top](#top) [own](#a)\n",
  );
  write("b.md", "# B\n\nWords.\n");
  const { out } = await ingest("--json");
  expect(JSON.parse(out).links).toMatchObject({ lost: 1, examples: [{ path: "a", href: "c.md" }] });
});

test("nothing is said where all links lead somewhere, and a run that reads few pages keeps what was known", async () => {
  writePages({ links: 20, lost: 6 });
  await ingest();
  write("p19.md", "# Page 19\n\nNo link any more.\n");
  const { out, err } = await ingest("--json");
  expect([JSON.parse(out).links, err]).toEqual([null, ""]);
  expect((await lastRun()).counts).toMatchObject({ links: 20, linksLost: 6 });
  writePages({ links: 20, lost: 0 });
  for (let at = 6; at < 20; at++) write(`p${at}.md`, `# Page ${at}\n\n[Anew](target.md#kept)\n`);
  write("target.md", "# Target\n\n## Kept\n\nOther words.\n");
  expect((await ingest()).err).toBe("");
  expect((await lastRun()).counts).toMatchObject({ links: 20, linksLost: 0 });
});
