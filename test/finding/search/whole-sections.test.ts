import { describe, expect, test } from "bun:test";
import type { Hit } from "../../../src/finding/search/search.ts";
import { filler, LONG_CODE } from "../../helpers/announced-code.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";

async function find(pages: Record<string, string>, text: string): Promise<Hit[]> {
  using it = await openIngestSite();
  await it.run(pages);
  const search = openSearch(it.storage);
  const asked = { audience: "everything", siteId: it.site.id, text, pageSize: 5 } as const;
  const cut = await search.find(asked);
  const { hits } = await search.find({ ...asked, sections: "whole" });
  expect(hits.map(({ passageId, href, snippet }) => [passageId, href, snippet])).toEqual(
    cut.hits
      .filter((hit) => hits.some(({ passageId }) => passageId === hit.passageId))
      .map(({ passageId, href, snippet }) => [passageId, href, snippet]),
  );
  return hits;
}

describe("a passage that was found comes as its section", () => {
  test("from its heading to the next one, and leads where the passage leads", async () => {
    const section = `${filler("wool")}\n\n${filler("silk")}\n\nThe quorum is three.\n\n${filler("flax")}`;
    const page = `# Server\n\n${filler("tea")}\n\n## Votes\n\n${section}\n\n## Disks\n\n${filler("ice")}`;
    const [hit] = await find({ server: page }, "quorum");
    expect(hit?.markdown).toBe(section);
    expect(hit?.headings).toEqual(["Server", "Votes"]);
    expect(hit?.text).toContain("quorum is three");
  });

  test("around the passage, where the section is too long to be shown", async () => {
    const many = (about: string) =>
      Array.from({ length: 9 }, (_, index) => filler(`${about} ${index}`)).join("\n\n");
    const [hit] = await find(
      { server: `# Votes\n\n${many("wool")}\n\nThe quorum is three.\n\n${many("silk")}` },
      "quorum",
    );
    expect(hit?.markdown).toContain("quorum is three");
    expect(hit?.markdown).toContain("silk 0");
    expect(hit?.markdown).not.toContain("silk 8");
    expect(hit?.markdown.length).toBeLessThanOrEqual(6000);
  });

  test("with what a sentence of it announces, however long the section is by then", async () => {
    const code = `\`\`\`sh\n${Array.from({ length: 60 }, (_, index) => `acme vote --round ${index} --wait`).join("\n")}\n\`\`\``;
    const many = Array.from({ length: 5 }, (_, index) => filler(`wool ${index}`)).join("\n\n");
    const page = `# Votes\n\nThe quorum is three.\n\n${many} It is called by this:\n\n${code}\n\n${filler("ice")}`;
    const [hit] = await find({ server: page }, "quorum");
    expect(hit?.markdown).toContain("acme vote --round 59");
  });

  test("once, however many passages of it were found", async () => {
    const section = [filler("a quorum"), filler("the quorum"), filler("each quorum")].join("\n\n");
    const hits = await find({ server: `# Votes\n\n${section}`, other: "# Tea\n\nNo quorum." }, "quorum");
    expect(hits.filter(({ path }) => path === "server")).toHaveLength(1);
    expect(hits.find(({ path }) => path === "server")?.markdown).toBe(section);
  });

  test("with what its last sentence announces, below the heading where that stands", async () => {
    const page = `# Votes\n\n${filler("wool")}\n\nThe quorum has these parts:\n\n## Members\n\n${filler("members")}\n\n## Disks\n\n${filler("ice")}`;
    const [hit] = await find({ server: page }, "quorum");
    expect(hit?.markdown).toContain("has these parts:\n\n## Members\n\nLine 0 on members");
    expect(hit?.markdown).not.toContain("ice");
  });

  test("with the headings above its beginning, beside those of the place to which it leads", async () => {
    const page = "# Server\n\n## Votes\n\nEach has one.\n\n## Quorum\n\nThe quorum is three.";
    const [hit] = await find({ server: page }, "quorum");
    expect(hit?.markdown).toBe("Each has one.\n\n## Quorum\n\nThe quorum is three.");
    expect([hit?.headingsAbove, hit?.headings, hit?.href]).toEqual([
      ["Server", "Votes"],
      ["Server", "Quorum"],
      "/server#quorum",
    ]);
  });

  test("with what the last of several short sections announces below its own heading", async () => {
    const page = `# Votes\n\n## Ballots\n\nA quorum votes.\n\n## Parts\n\nIt has these parts:\n\n### Members\n\n${LONG_CODE}\n\n## Disks\n\n${filler("ice")}`;
    const hits = await find({ server: page }, "ballots of a quorum");
    const hit = hits.find(({ markdown }) => markdown.includes("A quorum votes."));
    expect(hit?.markdown).toContain(`these parts:\n\n### Members\n\n${LONG_CODE}`);
    expect(hit?.markdown).not.toContain("ice");
  });

  test("with what it announces, where a passage before has shown that", async () => {
    const page = `# Votes\n\n${filler("wool")}\n\nThe parts of it:\n\n## Quorum\n\n${filler("a quorum")}`;
    const hits = await find({ server: page }, "quorum of it");
    const announcing = hits.find(({ markdown }) => markdown.includes("The parts of it:"));
    expect(announcing?.markdown).toContain("The parts of it:\n\n## Quorum\n\nLine 0 on a quorum");
  });

  test("with what a sentence in bold announces", async () => {
    const page = `# Votes\n\n${filler("wool")}\n\n**The quorum has these parts:**\n\n## Members\n\n${filler("members")}`;
    const [hit] = await find({ server: page }, "has quorum these parts");
    expect(hit?.markdown).toContain("these parts:**\n\n## Members\n\nLine 0 on members");
  });

  test("where a page has no headings, with what stands around it", async () => {
    const hits = await find(
      { notes: `${filler("wool")}\n\nThe quorum is three.\n\n${filler("silk")}` },
      "quorum",
    );
    expect(hits).toHaveLength(1);
    expect(hits[0]?.markdown).toMatch(/^Line 0 on wool[\s\S]*quorum is three[\s\S]*silk/);
  });
});
