import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseQuestions } from "../../../src/measuring/eval/datasets/datasets.ts";
import { keepKnownPlaces } from "../../../src/measuring/eval/known-places.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

test("a place that is expected is known however its page's address ends", async () => {
  using folder = temporaryDirectory();
  const words = "<p>Reads variables of the environment.</p>";
  await Bun.write(join(folder.path, "os.html"), `<h1 id="os">OS</h1><h2 id="environ">Variables</h2>${words}`);
  using it = await openIngestSite();
  await it.run(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
  const expected = [["os#environ"], ["os.html#environ"], ["/os#nowhere"], ["none.html"]];
  const lines = expected.map((places) => JSON.stringify({ question: "What is read?", expected: places }));
  const questions = parseQuestions(lines.join("\n"), "own.jsonl", undefined);
  const known = await keepKnownPlaces(questions, it.storage.pages, it.site.id);
  expect(known.questions.map(({ sections }) => [...sections.keys()])).toEqual([
    ["os#environ"],
    ["os#environ"],
    [],
    [],
  ]);
  expect(known.unknown).toEqual(["none", "os#nowhere"]);
});
