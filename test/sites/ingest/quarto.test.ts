import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { resolveLink } from "../../../src/sites/pages/page-link.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const FILES: Record<string, string> = {
  "docs/one.qmd":
    "# One {#first}\n\n{{< include _part.qmd >}}\n\n{{< include ../../outside.qmd >}}\n\n{{< include _loop.qmd >}}\n",
  "docs/_part.qmd": "---\ntitle: Part\n---\nShared words.\n",
  "docs/_loop.qmd": "{{< include _loop.qmd >}}\n",
  "two.Rmd": "---\ntitle: Two\n---\n```{r, echo=FALSE}\nhidden\n```\nSeen.\n",
  "three.rmd": "Three.\n",
};

test("Quarto and R Markdown in a folder are pages, with what they take in from inside of it", async () => {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder.path, "in", name)), { recursive: true });
    await Bun.write(join(folder.path, "in", name), text);
  }
  await Bun.write(join(folder.path, "outside.qmd"), "A secret.");
  const texts: Record<string, string> = {};
  const faults: Record<string, readonly string[]> = {};
  for await (const item of createFolderReader({ root: join(folder.path, "in"), fileBytesMax: 1000 }).list(
    listContext(),
  )) {
    if (isSkipped(item)) continue;
    const source = new TextDecoder().decode(await item.read());
    expect(item.format).toBe("qmd");
    texts[item.path] = parsePage(source, { fallbackTitle: "x", format: "qmd" })
      .passages.map(({ text }) => text)
      .join("\n");
    faults[item.path] = item.faults ?? [];
  }
  expect(texts).toEqual({ "docs/one": "Shared words.", two: "Seen.", three: "Three." });
  expect(faults).toEqual({
    "docs/one": [
      "../../outside.qmd, which it includes, is not in this source",
      "_loop.qmd, which it includes, includes itself",
    ],
    two: [],
    three: [],
  });
});

test("a link to such a file leads to its page", () => {
  const base = { path: "docs/one", location: "docs/one.qmd", siteUrl: undefined };
  expect(resolveLink("../two.Rmd#a", base)).toMatchObject({ path: "two" });
});
