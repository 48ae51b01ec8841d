import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

const PAGES = {
  "public.md": "# Zebra\n\nThe zebra of everyone sleeps.\n",
  "tagged.md": "---\ntags: [animals, night]\n---\n\n# Zebra at night\n\nThe tagged zebra sleeps.\n",
  "staff.md": "---\ngroups: [staff]\n---\n\n# Zebra for staff\n\nThe zebra of the staff sleeps.\n",
  "vets.md": "---\ngroups: [vets]\n---\n\n# Zebra for vets\n\nThe zebra of the vets sleeps.\n",
};

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  mkdirSync(join(place.folder, "docs"));
  for (const [name, text] of Object.entries(PAGES)) writeFileSync(join(place.folder, "docs", name), text);
  for (const words of [
    ["sites", "add", "acme", "--url", "https://docs.acme.example"],
    ["ingest", "acme", "docs"],
  ])
    expect((await place.run(...words)).code).toBe(0);
});
afterAll(() => place.dispose());

describe("what is searched is narrowed", () => {
  const CASES: [options: string[], paths: string[]][] = [
    [[], ["public", "staff", "tagged", "vets"]],
    [["--tag", "night"], ["tagged"]],
    [["--tag", "nothing"], []],
    [
      ["--group", "staff"],
      ["public", "staff", "tagged"],
    ],
    [
      ["--group", "staff", "--group", "vets"],
      ["public", "staff", "tagged", "vets"],
    ],
    [["--group", "staff", "--tag", "animals"], ["tagged"]],
  ];
  for (const [options, paths] of CASES) {
    test(`docent search ${options.join(" ")}`, async () => {
      const { code, out, err } = await place.run("search", "acme", "zebra", "--json", ...options);
      expect(code, err).toBe(0);
      const hits: { path: string }[] = JSON.parse(out);
      expect(hits.map(({ path }) => path).sort()).toEqual(paths);
    });
  }

  test("docent ask answers from what is left", async () => {
    const { out } = await place.run("ask", "acme", "Where does the zebra sleep?", "--tag", "night");
    expect(out).toContain("tagged zebra");
    expect(out).not.toContain("staff");
    const none = await place.run("ask", "acme", "Where does the zebra sleep?", "--tag", "nothing");
    expect(none.out).toContain("[not covered by the docs]");
  });
});
