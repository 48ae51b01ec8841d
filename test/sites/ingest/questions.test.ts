import { expect, test } from "bun:test";
import { join } from "node:path";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const question = (front: string, title: string, words: string) =>
  `---\ntitle: ${title}\n${front}\n---\n${words}\n`;
const SAME = "The limit of an upload is raised with the setting upload bytes.";

const FILES = {
  "limits.md": `# The limit of an upload\n\n${SAME}`,
  "backup.md": "# Backups\n\nA backup is one file.",
  "issues/1.md": question("kind: question\nanswered: 2024-05-03", "The limit of an upload", SAME),
  "issues/2.md": question("kind: question", "Crash on Plan 9", "The window stays black on Plan 9. Use rio."),
};

async function openSite() {
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) await Bun.write(join(folder.path, name), text);
  const it = await openIngestSite();
  await it.run(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }), {});
  const search = openSearch(it.storage);
  return {
    it,
    async hits(text: string, pageSize = 10) {
      const { hits } = await search.find({ audience: "everything", siteId: it.site.id, text, pageSize });
      return hits.map(({ path, title }) => [path, title]);
    },
    [Symbol.dispose]() {
      it[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("a page with kind: question is called a question wherever it is shown", async () => {
  using site = await openSite();
  const [page] = await site.it.storage.pages.findPages(site.it.site.id, "issues/1", "everything");
  expect(page?.title).toBe("Question: The limit of an upload");
});

test("a page of docs that says the same as a question comes first, and what only a question says is found", async () => {
  using site = await openSite();
  expect((await site.hits("the limit of an upload")).slice(0, 2)).toEqual([
    ["limits", "The limit of an upload"],
    ["issues/1", "Question: The limit of an upload"],
  ]);
  expect((await site.hits("black window on plan 9"))[0]).toEqual(["issues/2", "Question: Crash on Plan 9"]);
});
