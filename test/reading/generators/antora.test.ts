import { describe, expect, test } from "bun:test";
import { recognizeFiles } from "./open-files.ts";

async function siteOf(files: Readonly<Record<string, string>>, version?: string) {
  const site = await recognizeFiles(files, { version });
  if (site === undefined) throw new Error("nothing was recognized");
  const read = (location: string) => {
    const page = site.pages.find((each) => each.location === location);
    if (page === undefined) throw new Error(`${location} is no page`);
    return site.read(page);
  };
  return { site, read };
}

const paths = async (files: Readonly<Record<string, string>>, version?: string) =>
  (await siteOf(files, version)).site.pages.map(({ path }) => path);

const ONE = { "antora.yml": "name: one\nversion: ~\n", "modules/ROOT/pages/index.adoc": "= Home\n" };

test("an address has its component, version and module, and leaves out what is the root's", async () => {
  const files = {
    "antora.yml": "name: one\nversion: '1.0'\n",
    "modules/ROOT/pages/index.adoc": "",
    "modules/ROOT/pages/a b/index.adoc": "",
    "modules/ROOT/pages/c.adoc": "",
    "modules/more/pages/c.adoc": "",
    "modules/more/pages/_d.adoc": "",
  };
  expect(await paths(files)).toEqual(["one/1.0/a b", "one/1.0/c.html", "one/1.0", "one/1.0/more/c.html"]);
  const root = { ...files, "antora.yml": "name: ROOT\nversion: ~\n" };
  expect(await paths(root)).toEqual(["a b", "c.html", "", "more/c.html"]);
});

test.each(["drop", "indexify"])(
  "addresses without an extension (%s) and the latest version follow the playbook",
  async (style) => {
    const playbook = `content: { sources: [{ url: . }] }\nurls: { html_extension_style: ${style}, latest_version_segment: current }\n`;
    const files = {
      "antora-playbook.yml": playbook,
      "antora.yml": "name: one\nversion: '1.0'\n",
      "modules/ROOT/pages/c.adoc": "",
    };
    expect(await paths(files)).toEqual(["one/current/c"]);
  },
);

test("of several versions the latest release is read, or the one that is asked for", async () => {
  const files = Object.fromEntries(
    ["1.9", "1.10", "2.0"].flatMap((version) => [
      [`v${version}/antora.yml`, `name: one\nversion: '${version}'\nprerelease: ${version === "2.0"}\n`],
      [`v${version}/modules/ROOT/pages/a.adoc`, "= A\n"],
    ]),
  );
  expect(await paths(files)).toEqual(["one/1.10/a.html"]);
  expect(await paths(files, "1.9")).toEqual(["one/1.9/a.html"]);
  const { site } = await siteOf(files);
  expect(site.leftOut.map(({ location, detail }) => [location, detail])).toEqual([
    ["v1.9/modules/ROOT/pages/a.adoc", "is of version 1.9, and the docs are read in another"],
    ["v2.0/modules/ROOT/pages/a.adoc", "is of version 2.0, and the docs are read in another"],
  ]);
});

test("aliases and start pages lead to their pages", async () => {
  const { site } = await siteOf({
    "antora-playbook.yml": "site: { start_page: 'one::a.adoc' }\ncontent: { sources: [{ url: . }] }\n",
    "antora.yml": "name: one\nversion: ~\nstart_page: a.adoc\n",
    "modules/ROOT/pages/a.adoc": "= A\n:page-aliases: old.adoc, more:b, a.adoc\n",
  });
  expect(site.redirects).toEqual([
    { from: "one/old", to: "one/a.html" },
    { from: "one/more/b", to: "one/a.html" },
    { from: "one", to: "one/a.html" },
    { from: "", to: "one/a.html" },
  ]);
});

test("includes stay inside of the source, and do not include themselves", async () => {
  const { read } = await siteOf({
    ...ONE,
    "modules/ROOT/pages/index.adoc":
      "= Home\n\ninclude::partial$a.adoc[]\n\ninclude::../../../../secret.adoc[]\n\ninclude::example$gone.rb[]\n\ninclude::https://example.com/x.adoc[]\n",
    "modules/ROOT/partials/a.adoc": "A.\n\ninclude::partial$a.adoc[]\n",
    "secret.adoc": "Secret.",
  });
  const { markdown, faults } = await read("modules/ROOT/pages/index.adoc");
  expect(markdown).toBe("A.");
  expect(faults).toEqual([
    "partial$a.adoc, which it includes, includes itself",
    "../../../../secret.adoc, which it includes, is not in this source",
    "example$gone.rb, which it includes, is not in this source",
    "https://example.com/x.adoc, which it includes, is elsewhere, and nothing is fetched",
  ]);
});

test("a reference that leads nowhere is only words, and named", async () => {
  const { read } = await siteOf({
    ...ONE,
    "modules/ROOT/pages/index.adoc": "= Home\n\nxref:gone.adoc[Gone] and xref:2.0@one::x.adoc[].\n",
  });
  const { markdown, faults } = await read("modules/ROOT/pages/index.adoc");
  expect(markdown).toBe("Gone and 2.0@one::x.adoc.");
  expect(faults).toEqual([
    "gone.adoc, which it refers to, is not in these docs",
    "2.0@one::x.adoc, which it refers to, is not in these docs",
  ]);
});

test("what cannot be read, and what only a run would tell, is asked about", async () => {
  const { site } = await siteOf({
    ...ONE,
    "antora-playbook.yml": "content: { sources: [{ url: . }] }\nasciidoc: { extensions: [./own.js] }\n",
    "antora.yml": "name: one\nversion: true\n",
  });
  expect(site.unknowns.map(({ guess, question }) => [question, guess])).toEqual([
    ["Are pages changed by ./own.js? Programs are not run.", "no"],
    ["Which version are the docs of one? Git's names say it to Antora.", "none"],
  ]);
});

test("a component whose description does not parse is read as one without a name, and asked about", async () => {
  const { site } = await siteOf({
    ...ONE,
    "antora.yml": "name: [one",
    "modules/ROOT/nav.adoc": "* xref:index.adoc[]",
  });
  expect(site.pages.map(({ path }) => path)).toEqual([""]);
  expect(site.menu).toMatchObject([{ label: "Home" }]);
  expect(site.unknowns[0]?.question).toContain("antora.yml cannot be read");
});

test("a playbook of any name is one by what is in it, the published site's before a preview's", async () => {
  const playbook = (style: string) =>
    `site: {title: T}\ncontent: {sources: [{url: ./}]}\nurls: {html_extension_style: ${style}}\n`;
  const files = {
    "docs/antora.yml": "name: one\nversion: ~\n",
    "docs/modules/ROOT/pages/a.adoc": "= A\n",
    "docker-compose.yml": "services: {a: {image: b}}\n",
  };
  expect(await paths(files)).toEqual(["one/a.html"]);
  const published = { ...files, "publish.yml": playbook("indexify"), "preview.yml": playbook("drop") };
  const { site } = await siteOf(published);
  expect(site.pages.map(({ path }) => path)).toEqual(["one/a"]);
  // Not where it stands elsewhere, or is another thing's.
  expect(await paths({ ...files, "other/publish.yml": playbook("indexify") })).toEqual(["one/a.html"]);
  const feed = "content: {sources: [{url: ./}]}\nurls: {html_extension_style: indexify}\n";
  expect(await paths({ ...files, "feed.yml": feed })).toEqual(["one/a.html"]);
});

describe("without a playbook, headings have ids", () => {
  const page = (references: string) => ({
    "antora.yml": "name: one\nversion: ~\n",
    "modules/ROOT/pages/index.adoc": `= Home\n\n[[own-id]]\n== Set it up\n\n== Then go on\n\n${references}\n`,
  });

  test("as the pages' own references are written, and that is asked", async () => {
    const { site, read } = await siteOf(page("<<then-go-on>> xref:#a-b[x] xref:other.adoc#c-d[y]"));
    expect((await read("modules/ROOT/pages/index.adoc")).markdown).toContain("## Then go on {#then-go-on}");
    expect(site.unknowns[0]?.question).toContain("Which idprefix");
  });

  test("as usual, where references are to names that authors gave, or say otherwise", async () => {
    for (const references of [
      "<<own-id>> <<own-id,x>> <<own-id>>",
      "<<a-b>> <<c-d>> <<e-f>> <<_a>> <<_b>> <<_c>>",
    ]) {
      const { site, read } = await siteOf(page(references));
      expect((await read("modules/ROOT/pages/index.adoc")).markdown).toContain("{#_then_go_on}");
      expect(site.unknowns).toEqual([]);
    }
  });
});
