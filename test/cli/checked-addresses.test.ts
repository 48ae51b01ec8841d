import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
let server: Bun.Server<unknown>;
beforeAll(async () => {
  place = createWorkplace();
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) =>
      new Response('<h1 id="here">', {
        status: request.url.endsWith("/here") ? 200 : 404,
        headers: { "content-type": "text/html" },
      }),
  });
  mkdirSync(join(place.folder, "docs"));
  for (const name of ["here", "lost"]) writeFileSync(join(place.folder, "docs", `${name}.md`), `# ${name}`);
  await place.run("sites", "add", "acme", "--url", `http://127.0.0.1:${server.port}/d`);
});
afterAll(async () => {
  await server.stop(true);
  place.dispose();
});

const CHECK = ["--check-addresses", "--private-hosts", "127.0.0.1"];

test("the share of published addresses that answer is shown where it is asked for, and kept with the run", async () => {
  const { out, code } = await place.run("ingest", "acme", "docs", ...CHECK);
  expect(code).toBe(0);
  expect(out).toEndWith(
    `1 of 2 addresses answer.\n  http://127.0.0.1:${server.port}/d/lost: 404\n1 of 1 anchors are there.\n`,
  );
  const [source] = JSON.parse((await place.run("sources", "list", "acme", "--json")).out);
  expect(source.lastRun.counts).toMatchObject({ addressesAsked: 2, addressesAnswering: 1 });
  const [report] = JSON.parse((await place.run("sources", "run", "acme", "--json", ...CHECK)).out);
  expect(report.addresses).toMatchObject({
    asked: 2,
    answering: 1,
    anchors: { asked: 1, there: 1, missing: [] },
    note: null,
  });
});

test("a private host is not asked unless it is named, and that costs one line and no failure", async () => {
  const { out, code } = await place.run("ingest", "acme", "docs", "--check-addresses");
  expect(code).toBe(0);
  expect(out).toMatch(/The published addresses were not checked: .*private_hosts.*\n$/);
});

test("a preview shows what is recognized, asks what is open, and publishes nothing until it is run without", async () => {
  const at = (...names: string[]) => join(place.folder, "site", ...names);
  mkdirSync(at("docs"), { recursive: true });
  writeFileSync(
    at("docusaurus.config.js"),
    "module.exports = { presets: [['classic', { docs: { routeBasePath: process.env.BASE } }]] };",
  );
  writeFileSync(at("docs", "here.md"), "# Here");
  const { out, code } = await place.run("ingest", "acme", "site", "--preview");
  expect(code).toBe(0);
  expect(out).toContain("This looks like Docusaurus");
  expect(out).toContain("  docs/here.md -> /docs/here\n");
  expect(out).toContain("Otherwise: --answer routeBasePath=…\n");
  expect(out).toEndWith("Nothing was read: run this again without --preview to read it.\n");
  const [, source] = JSON.parse((await place.run("sources", "list", "acme", "--json")).out);
  expect(source.lastRun).toMatchObject({ outcome: "previewed", generation: null, docs: { pages: 1 } });
  // The other source was read before, and is read again.
  const all = JSON.parse((await place.run("sources", "run", "acme", "--json")).out);
  expect(
    all.map(({ previewed, unchanged }: { previewed: boolean; unchanged: number }) => [previewed, unchanged]),
  ).toEqual([[false, 2]]);
  const answered = await place.run(
    "sources",
    "run",
    "acme",
    String(source.number),
    "--answer",
    "routeBasePath=/",
  );
  expect(answered.out).toContain("  docs/here.md -> /here\n");
  expect(answered.out).toContain("1 added");
});

test("a folder without a generator is said to be that, with addresses, and other docs beside some are named", async () => {
  const write = (text: string, ...names: string[]) => {
    const file = join(place.folder, ...names);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write("# Install", "plain", "guide", "install.md");
  const { out } = await place.run("ingest", "acme", "plain");
  expect(out).toStartWith(
    "No docs generator was recognized: addresses follow the files.\n  guide/install.md -> /guide/install\n",
  );
  for (const name of ["large", "small"]) {
    write(`site_name: ${name}`, "two", name, "mkdocs.yml");
    write("# One", "two", name, "docs", "one.md");
  }
  write("# Two", "two", "large", "docs", "two.md");
  const several = await place.run("ingest", "acme", "two", "--preview");
  expect(several.out).toContain("This looks like MkDocs in large: 2 pages get");
  expect(several.out).toContain(
    "Not read: other docs beside these. To read some of them, name their folder.\n  small: MkDocs, 1 page\n",
  );
});

test("what does not look like a site that was read whole is said by the run, and by the report", async () => {
  mkdirSync(join(place.folder, "marks"));
  const section = (page: string, number: number) =>
    `## Item ${number}\n\nr[${page}.item${number}]\n\n${`Words of ${page} about item ${number}. `.repeat(20)}\n`;
  for (const page of ["one", "two", "three"]) {
    const sections = Array.from({ length: 10 }, (_, number) => section(page, number));
    writeFileSync(join(place.folder, "marks", `${page}.md`), `# ${page}\n\n${sections.join("\n")}`);
  }
  await place.run("sites", "add", "marked");
  const words = 'of 30 passages begin alike, with "r[…]": marks of a program that was not run.';
  const { err } = await place.run("ingest", "marked", "marks");
  expect(err).toContain(`This does not look like your site: 30 ${words}`);
  // A run that reads nothing anew keeps what was seen.
  const [report] = JSON.parse((await place.run("sources", "run", "marked", "--json")).out);
  expect(report.signs).toEqual([]);
  const { out } = await place.run("sites", "fidelity", "marked");
  expect(out).toContain("1 signs that a source was not read whole\n");
  expect(out).toContain("30 of 30 passages begin alike");
});
