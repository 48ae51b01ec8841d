import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const FILES = {
  "mkdocs.yml": "plugins:\n  - i18n:\n      languages: [{locale: en, default: true}, {locale: fr}]\n",
  "docs/guide.md": "# Guide",
  "docs/only.md": "# Only",
  "docs/only.fr.md": "# Seul",
};

async function openDocs() {
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) await Bun.write(join(folder.path, name), text);
  const it = await openIngestSite();
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 10_000 });
  return {
    folder,
    run: (spec: { version?: string; language?: string } = {}) => it.run(reader, spec),
    async marks(path: string) {
      const pages = await it.storage.pages.findPages(it.site.id, path, "everything");
      return pages.map(({ version, language, translations }) => ({ version, language, translations }));
    },
    async changedAt(path: string) {
      const [page] = await it.storage.pages.findPages(it.site.id, path, "everything");
      return page && (await it.storage.pages.lastChanges([page.id])).get(page.id);
    },
    [Symbol.dispose]() {
      it[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("a page has the marks that its docs give to it, and besides those of its source", async () => {
  using docs = await openDocs();
  await docs.run({ version: "2" });
  expect(await docs.marks("guide")).toEqual([{ version: "2", language: "en", translations: {} }]);
  expect(await docs.marks("fr/only")).toEqual([{ version: "2", language: "fr", translations: undefined }]);
});

test("a language that an owner gives to a source is that of its pages, but for translations", async () => {
  using docs = await openDocs();
  await docs.run({ language: "en-GB" });
  expect(await docs.marks("guide")).toEqual([{ version: "", language: "en-GB", translations: undefined }]);
  expect(await docs.marks("fr/only")).toEqual([{ version: "", language: "fr", translations: undefined }]);
});

test("a page that is translated is the same file as before, and of another mark", async () => {
  using docs = await openDocs();
  expect(await docs.run()).toMatchObject({ added: 3 });
  const before = await docs.changedAt("guide");
  expect(await docs.run()).toMatchObject({ changed: 0, unchanged: 3 });
  await Bun.write(join(docs.folder.path, "docs/guide.fr.md"), "# Guide");
  expect(await docs.run()).toMatchObject({ added: 1, changed: 1, unchanged: 2 });
  expect(await docs.marks("guide")).toEqual([
    { version: "", language: "en", translations: { fr: "fr/guide" } },
  ]);
  expect(await docs.changedAt("guide")).toBe(before);
  rmSync(join(docs.folder.path, "docs/guide.fr.md"));
  expect(await docs.run()).toMatchObject({ removed: 1, changed: 1, unchanged: 2 });
  expect(await docs.marks("guide")).toEqual([{ version: "", language: "en", translations: {} }]);
});

test("pages are for the groups of their source that they name, and for nobody where these are none", async () => {
  using it = await openIngestSite();
  const files = {
    plain: "# Plain\n\nWords.",
    own: "---\ngroups: [ops, everyone]\n---\n# Own\n\nWords.",
    other: "---\ngroups: everyone\n---\n# Other\n\nWords.",
  };
  const groupsOf = async (path: string) =>
    (await it.storage.inventory.at(it.site.id, path)).flatMap(({ groups }) => groups);
  await it.run(files);
  expect([await groupsOf("plain"), await groupsOf("own")]).toEqual([[], ["ops", "everyone"]]);
  const groups = ["admins", "ops"];
  expect(await it.run(files, {}, { groups })).toMatchObject({ changed: 3 });
  expect(await groupsOf("plain")).toEqual(groups);
  expect(await groupsOf("own")).toEqual(["ops"]);
  expect(await groupsOf("other")).toEqual(["(nobody)"]);
  expect(
    (await it.storage.ledger.entries((await it.sourceOf()).id)).find(({ path }) => path === "other"),
  ).toMatchObject({
    reason: "parse_fault",
    detail:
      "is for nobody: its source names admins, ops, its front matter names everyone, and no group is in all of them",
  });
  expect(await it.run(files, {}, { groups: ["ops", "admins"] })).toMatchObject({ changed: 0, unchanged: 3 });
  expect(await it.run(files)).toMatchObject({ changed: 3 });
  expect(await groupsOf("plain")).toEqual([]);
});
