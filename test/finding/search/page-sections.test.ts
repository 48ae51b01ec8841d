import { describe, expect, test } from "bun:test";
import { createPageSections } from "../../../src/finding/search/search.ts";
import { ANNOUNCING_PAGE, filler } from "../../helpers/announced-code.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";

async function sectionsOf(markdown: string, headings: string[]) {
  using it = await openIngestSite();
  await it.run({ page: markdown });
  const { pages, search } = it.storage;
  const [page] = await pages.findPages(it.site.id, "page", "everything");
  if (page === undefined) throw new Error("the page was not read");
  const sections = createPageSections(search);
  return await Promise.all(
    headings.map((heading) => sections.read({ audience: "everything", page, heading })),
  );
}

/** The page from one line to another, as it was written. */
function between(page: string, from: string, to?: string): string {
  const start = page.indexOf(from);
  return page.slice(start, to === undefined ? undefined : page.indexOf(to, start)).trim();
}

describe("the section of a heading", () => {
  test("is what stands from it to the next heading of its rank, word for word, with the sections below it", async () => {
    const whole = { anchor: "votes", headings: ["Server", "Votes"] };
    const markdown = between(ANNOUNCING_PAGE, "## Votes", "## Disks");
    for (const section of await sectionsOf(ANNOUNCING_PAGE, ["votes", "Votes", "## Votes", "VOTES"]))
      expect(section).toEqual({ ...whole, markdown });
  });

  test("ends where the page ends, and begins within a passage of several short ones", async () => {
    const page =
      "# Tea\n\nWarm.\n\n## Green\n\nOf [China][c].\n\n## Black\n\nOf [India][i].\n\n[c]: https://c.example\n[i]: https://i.example";
    const [green, black] = await sectionsOf(page, ["green", "black"]);
    expect(green?.markdown).toBe("## Green\n\nOf [China](https://c.example).");
    expect(black?.markdown).toBe("## Black\n\nOf [India](https://i.example).");
  });

  test("without words of its own has the sections below it", async () => {
    const page = `# Tea\n\n${filler("tea")}\n\n## Kinds\n\n### Green\n\n${filler("green")}\n\n### Black\n\n${filler("black")}\n\n## Cups\n\n${filler("cups")}`;
    for (const section of await sectionsOf(page, ["kinds", "Kinds"]))
      expect(section?.markdown).toBe(between(page, "## Kinds", "## Cups"));
  });

  test("of several of one name is told by its anchor", async () => {
    const page = `# Tea\n\n## Example\n\n${filler("green")}\n\n## Example\n\n${filler("black")}\n\n## End\n\nCups.`;
    const [first, second, both] = await sectionsOf(page, ["example", "example-1", "Example"]);
    expect(first?.markdown).toBe(`## Example\n\n${filler("green")}`);
    expect(second?.markdown).toBe(`## Example\n\n${filler("black")}`);
    expect(both?.markdown).toBe(between(page, "## Example", "## End"));
  });

  test("is found by a part of its words, the heading with the fewest others first, and by no part of a word", async () => {
    const page = `# Linux tea\n\n${filler("tea")}\n\n## Brew on Linux and Windows\n\nOne.\n\n## On Linux\n\nTwo.`;
    const [part, none, nothing] = await sectionsOf(page, ["linux", "lin", "##"]);
    expect(part).toMatchObject({ anchor: "on-linux", markdown: "## On Linux\n\nTwo." });
    expect([none, nothing]).toEqual([undefined, undefined]);
  });

  test("is not there for whoever may not see its page", async () => {
    using it = await openIngestSite();
    await it.run({ page: "---\ngroups: [staff]\n---\n\n# Tea\n\n## Green\n\nOf China." });
    const { pages, search } = it.storage;
    const [page] = await pages.findPages(it.site.id, "page", "everything");
    if (page === undefined) throw new Error("the page was not read");
    const sections = createPageSections(search);
    expect(await sections.read({ audience: [], page, heading: "green" })).toBeUndefined();
    expect(await sections.read({ audience: ["staff"], page, heading: "green" })).toBeDefined();
  });
});
