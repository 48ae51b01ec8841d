import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let at: Workplace;
beforeAll(async () => {
  at = createWorkplace();
  writeFileSync(join(at.folder, "page.md"), "# Loom\n\nThe shuttle is oiled.\n");
  for (const words of [
    ["sites", "add", "acme"],
    ["ingest", "acme", "page.md"],
    ["ask", "acme", "=1+1?"],
    ["ask", "acme", "Second?"],
  ])
    await at.run(...words);
});
afterAll(() => at.dispose());

describe("docent export", () => {
  test("writes CSV that a spreadsheet does not calculate", async () => {
    const { code, out, err } = await at.run("export", "acme");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toStartWith("id,threadId,timestamp,query,");
    expect(out).toContain(",'=1+1?,");
    expect(out.match(/\r\n/g)).toHaveLength(3);
  });

  test("writes JSON Lines, from and to", async () => {
    const { out } = await at.run("export", "acme", "--format", "jsonl", "--from", "2020-01-01");
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ query, caller }) => [query, caller])).toEqual([
      ["=1+1?", "cli"],
      ["Second?", "cli"],
    ]);
    expect((await at.run("export", "acme", "--json", "--to", "2020-01-01")).out).toBe("");
  });

  test.each([
    [["--format", "xml"], "--format is csv or jsonl, not xml."],
    [["--from", "yesterday"], "--from is a date such as 2026-01-31"],
  ])("%j is refused", async (words, message) => {
    const { code, out, err } = await at.run("export", "acme", ...words);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });

  test("ends as other programs do where nobody reads on", async () => {
    const child = at.spawn("export", "acme");
    await child.stdout.cancel();
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([141, ""]);
  });
});
