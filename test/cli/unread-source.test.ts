import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInProcess } from "../helpers/run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "docent-unread-source-"));
const environment = { DOCENT_DATA: join(folder, "data"), DOCENT_CONNECT_SECONDS: "1" };
const at = (...names: string[]) => join(folder, ...names);
let server: Bun.Server<undefined>;

beforeAll(async () => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("", { status: 404 }),
  });
  mkdirSync(at("empty"));
  await run("sites", "add", "acme");
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) => runInProcess(words, { environment });
const listed = async (): Promise<string[]> =>
  JSON.parse((await run("sources", "list", "acme", "--json")).out).map(
    ({ place }: { place: string }) => place,
  );
const kinds = async () =>
  (await run("audit", "--json")).out
    .split("\n")
    .filter((line) => line.includes('"source.'))
    .map((line) => JSON.parse(line).kind);

describe("a place whose first run fails with nothing read is not kept as a source", () => {
  const address = () => `http://127.0.0.1:${server.port}/llms.txt`;
  for (const [what, words] of [
    ["a folder without pages", () => ["ingest", "acme", at("empty")]],
    ["an address that does not answer", () => ["ingest", "acme", address(), "--private-hosts", "127.0.0.1"]],
    ["a folder that is only looked at", () => ["ingest", "acme", at("empty"), "--preview"]],
    ["a folder that is to be watched", () => ["ingest", "acme", at("empty"), "--watch"]],
    ["an address that is added", () => ["sources", "add", "acme", address(), "--private-hosts", "127.0.0.1"]],
  ] as const)
    test(what, async () => {
      const before = await listed();
      const { code, err } = await run(...words());
      expect(code).toBe(1);
      expect(err).toContain("was read, so it is not kept as a source of acme");
      expect(await listed()).toEqual(before);
      const [added = "", removed = ""] = (await kinds()).slice(-2);
      expect([added, removed].sort()).toEqual(["source.added", "source.removed"]);
    });

  test("one that is named again when it has pages is read as a new one", async () => {
    mkdirSync(at("late"));
    expect((await run("ingest", "acme", at("late"))).code).toBe(1);
    writeFileSync(at("late", "a.md"), "# Late\n\nWords.\n");
    const { code, out } = await run("ingest", "acme", at("late"));
    expect([code, out]).toEqual([0, expect.stringContaining("1 added")]);
    expect(await listed()).toContain(at("late"));
  });
});

test("a folder that is not there adds nothing at all", async () => {
  const before = [await listed(), await kinds()];
  expect((await run("ingest", "acme", at("mistyped"))).code).toBe(1);
  expect([await listed(), await kinds()]).toEqual(before);
});

describe("a source stays", () => {
  test("that was there before its run failed", async () => {
    mkdirSync(at("later"));
    await run("sources", "add", "acme", at("later"), "--later");
    const { code, err } = await run("ingest", "acme", at("later"));
    expect([code, err.includes("not kept")]).toEqual([1, false]);
    expect(await listed()).toContain(at("later"));
  });

  test("of which a page was staged before its run failed, and the next one takes that up", async () => {
    mkdirSync(at("staged"));
    writeFileSync(at("staged", "a.md"), "# Staged\n\nWords.\n");
    const away = ["--embedding-model", "not-there"];
    const { code, err } = await run("ingest", "acme", at("staged"), ...away);
    expect([code, err.includes("not kept")]).toEqual([1, false]);
    expect(await listed()).toContain(at("staged"));
    expect((await run("ingest", "acme", at("staged"))).out).toContain("taken up again");
  });
});
