import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { FIXTURE_DOCS, question, textOf } from "../helpers/docent.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const ANSWERS = "/sites/acme/answers";
const markdown = "---\nquestion: Where is the moon?\n---\nAbove. See [install](/guide/install).";

let folder: ReturnType<typeof temporaryDirectory>;
let door: AdminDoorUnderTest;
beforeAll(async () => {
  folder = temporaryDirectory();
  cpSync(FIXTURE_DOCS, folder.path, { recursive: true });
  door = await startAdminDoor({ docs: folder.path });
});
afterAll(async () => {
  await door.close();
  folder[Symbol.dispose]();
});

describe("curated answers", () => {
  test("one is put, given to readers, shown, and removed", async () => {
    const shown = await door.ask("PUT", `${ANSWERS}/space/moon`, { body: { markdown } });
    expect(shown.body).toMatchObject([
      { name: "space/moon", questions: ["Where is the moon?"], concerns: [], source: null, version: "" },
    ]);
    expect(textOf(await (await door.post(question("Where is the moon?"))).text())).toContain("Above.");
    expect((await door.ask("GET", ANSWERS)).body).toEqual(shown.body);
    expect((await door.ask("GET", `${ANSWERS}/space%2Fmoon`)).body).toEqual(shown.body);
    await door.expectStatus(204, "DELETE", `${ANSWERS}/space/moon`);
    await door.expectStatus(404, "GET", `${ANSWERS}/space/moon`);
    await door.expectStatus(404, "DELETE", `${ANSWERS}/space/moon`);
  });

  test("what should be looked at is told, and names of other scripts are names", async () => {
    const name = encodeURIComponent("月");
    const body = { markdown: "---\nquestion: x\n---\n[gone](/gone)", language: "ja" };
    const { body: put } = await door.ask("PUT", `${ANSWERS}/${name}`, { body });
    expect(put).toMatchObject([{ name: "月", language: "ja", concerns: ["leads to no page: gone"] }]);
    await door.expectStatus(204, "DELETE", `${ANSWERS}/${name}`);
  });

  test.each(["..", "a%2F..%2Fb", "%2e%2e/x", "a b", "%zz", "", "x".repeat(101)])(
    "%j is no name for one",
    async (name) => {
      const reply = await door.ask("PUT", `${ANSWERS}/${name}`, { body: { markdown } });
      expect([400, 404, 405]).toContain(reply.status);
      expect((await door.ask("GET", ANSWERS)).body).toEqual([]);
    },
  );

  test.each([{ markdown: "no questions" }, { markdown: "" }, {}, { markdown, source: "x" }, { markdown: 7 }])(
    "%j is no answer",
    async (body) => {
      await door.expectStatus(400, "PUT", `${ANSWERS}/one`, { body });
    },
  );

  test("one of another site is not there, and cannot be put there", async () => {
    await door.expectStatus(200, "PUT", `${ANSWERS}/mine`, { body: { markdown } });
    await door.expectStatus(404, "GET", `${ANSWERS}/mine`, { as: "other" });
    await door.expectStatus(404, "PUT", `${ANSWERS}/mine`, { as: "other", body: { markdown } });
    await door.expectStatus(404, "DELETE", "/sites/rival/answers/mine", { as: "other" });
    await door.expectStatus(204, "DELETE", `${ANSWERS}/mine`);
  });
});

describe("generations", () => {
  test("a site goes back to the state before, and readers see it", async () => {
    const path = "/sites/acme/generations";
    await door.expectStatus(404, "POST", `${path}/rollback`);
    const { people, sources } = door.app.parts;
    writeFileSync(join(folder.path, "news.md"), "# News\n\nTeleportation is new.\n");
    const site = await people.sites.get("acme");
    const source = await sources.ofSites.get(site.id, 1);
    await sources.ofSites.run(site, source, { signal: new AbortController().signal });
    rmSync(join(folder.path, "news.md"));
    expect((await door.ask("GET", path)).body).toMatchObject([
      { number: 2, isVisible: true, counts: { added: 1 }, source: { id: 1, kind: "folder" } },
      { number: 1, isVisible: false },
    ]);
    expect(await door.expectStatus(200, "POST", `${path}/rollback`)).toEqual({ from: 2, to: 1 });
    expect(await door.expectStatus(200, "GET", "/sites/acme")).toMatchObject({ generation: 1, pages: 4 });
    expect(await door.expectStatus(200, "POST", `${path}/rollback`, { body: { number: 2 } })).toEqual({
      from: 1,
      to: 2,
    });
    await door.expectStatus(404, "POST", `${path}/rollback`, { body: { number: 9 } });
    await door.expectStatus(400, "POST", `${path}/rollback`, { body: { number: "2" } });
  });
});
