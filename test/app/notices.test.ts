import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  answersCondition,
  backupCondition,
  diskCondition,
  gapsCondition,
  sourceCondition,
} from "../../src/app/upkeep/conditions.ts";
import { createLooks } from "../../src/app/upkeep/notices.ts";
import { NOTICE_KINDS } from "../../src/notices/notices.ts";
import { startDocent } from "../helpers/docent.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const NEVER = new AbortController().signal;
const SITE = { name: "Acme" };

describe("what is wrong", () => {
  test("a source, by how its last run ended; nothing is known while one goes on", () => {
    const of = (outcome: "failed" | "incomplete" | "published" | undefined) => {
      const lastRun = {
        startedAt: 0,
        finishedAt: TEST_TIME,
        outcome,
        message: "Status 500.",
        generation: 1,
        generator: undefined,
        docs: undefined,
        addresses: undefined,
        counts: {},
      };
      return sourceCondition({ id: 7, location: "https://docs.acme.example", lastRun }, SITE, "url");
    };
    expect(of("failed")).toMatchObject({
      subject: "7",
      state: "bad",
      text: expect.stringContaining("Status 500."),
    });
    expect(of("incomplete")).toMatchObject({ state: "bad" });
    expect(of("published")).toMatchObject({ state: "well" });
    expect(of(undefined)).toMatchObject({ state: "unknown" });
  });

  test("gaps, where they grow by more than chance", () => {
    const grows = (now: number, before: number) => gapsCondition({ now, before }, SITE, "url").length > 0;
    expect([grows(4, 0), grows(5, 0), grows(9, 5), grows(10, 5)]).toEqual([false, true, false, true]);
  });

  test("answers whose pages changed or are gone, in one notice; no other concern counts", () => {
    const answers = Array.from({ length: 12 }, (_, n) => ({ name: `a${n}`, concerns: ["page changed: x"] }));
    const [condition] = answersCondition(
      [...answers, { name: "draft", concerns: ["kept back by its author"] }],
      SITE,
      "u",
    );
    expect(condition?.title).toContain("12 curated answers");
    expect(condition?.text).toContain("and 2 more");
    expect(answersCondition([{ name: "draft", concerns: ["kept back by its author"] }], SITE, "u")).toEqual(
      [],
    );
  });

  test("a disk and backups, and nothing where there are none", () => {
    const disk = (freeBytes: number) => diskCondition("/data", freeBytes, "u").state;
    expect([disk(9e8), disk(1.5e9), disk(3e9)]).toEqual(["bad", "unknown", "well"]);
    const overview = {
      everyHours: 24,
      folder: "/b",
      nextAt: 0,
      isOverdue: false,
      good: undefined,
      failure: undefined,
    };
    const failure = { at: 1, since: 1, says: "The disk is full.", hint: undefined };
    const good = { file: "/b/x", at: TEST_TIME, bytes: 1 };
    const backup = (change: object) =>
      backupCondition({ ...overview, ...change }, "u").map(({ state }) => state);
    expect([
      backup({}),
      backup({ good }),
      backup({ good, failure }),
      backup({ good, isOverdue: true }),
    ]).toEqual([["unknown"], ["well"], ["bad"], ["bad"]]);
    expect(backupCondition(undefined, "u")).toEqual([]);
  });
});

describe("a server", () => {
  test("tells a webhook of a source that fails, of a full disk and of a stale answer, and when they are well", async () => {
    const received: { kind: string; state: string; url: string; text: string }[] = [];
    const hook = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        received.push(JSON.parse(await request.text()));
        return new Response("ok");
      },
    });
    using place = temporaryDirectory();
    const docs = join(place.path, "docs");
    mkdirSync(docs);
    writeFileSync(join(docs, "install.md"), "# Install\n\nRun the installer.\n");
    const docent = await startDocent({ docs, settings: { hand_over_hosts: `127.0.0.1:${hook.port}` } });
    const { parts } = docent.app;
    const { notices, people, sources, answers } = parts;
    let freeBytes = 1e8;
    const look = createLooks({
      parts,
      directory: docent.data,
      publicUrl: docent.url,
      log: docent.log,
      freeBytes: async () => freeBytes,
    });
    const round = async () => {
      await look.often(NEVER);
      await look.seldom(NEVER);
      await notices.sendDue(NEVER);
      return received
        .splice(0)
        .map(({ kind, state }) => `${kind} ${state}`)
        .sort();
    };
    const read = async () => {
      const site = await people.sites.get("acme");
      const [source] = await sources.ofSites.list(site.id);
      if (!source) throw new Error("no source");
      await sources.ofSites.run(site, source, { signal: NEVER, force: true }).catch(() => {});
    };
    try {
      await notices.add({
        organizationId: undefined,
        name: "ops",
        channel: "webhook",
        address: `http://127.0.0.1:${hook.port}/x`,
        kinds: [...NOTICE_KINDS],
      });
      const markdown = "---\nquestion: How do I install it?\n---\n\nSee [the page](/install).\n";
      await answers.curated.add(await people.sites.get("acme"), {
        name: "install",
        version: "",
        language: "",
        markdown,
      });
      expect(await round()).toEqual(["disk-full bad"]);

      writeFileSync(join(docs, "install.md"), "# Install\n\nRun another installer.\n");
      await read();
      rmSync(docs, { recursive: true });
      await read();
      await look.often(NEVER);
      await look.seldom(NEVER);
      await notices.sendDue(NEVER);
      expect(received.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
        "answer-stale bad",
        "source-failing bad",
      ]);
      const failing = received.find(({ kind }) => kind === "source-failing");
      expect(failing?.url).toStartWith(`${docent.url}/dashboard/default/acme/content/sources/`);
      received.length = 0;
      expect(await round()).toEqual([]);

      mkdirSync(docs);
      writeFileSync(join(docs, "install.md"), "# Install\n\nRun the installer.\n");
      await read();
      freeBytes = 9e9;
      expect(await round()).toEqual(["disk-full well", "source-failing well"]);
      expect(await round()).toEqual([]);
    } finally {
      await docent.close();
      await hook.stop(true);
    }
  });
});

describe("docent notices", () => {
  test("adds, lists, tries and removes destinations", async () => {
    const bodies: string[] = [];
    const hook = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        bodies.push(await request.text());
        return new Response("no", { status: bodies.length > 1 ? 403 : 200 });
      },
    });
    using place = temporaryDirectory();
    const environment = {
      DOCENT_DATA: join(place.path, "data"),
      DOCENT_HAND_OVER_HOSTS: `127.0.0.1:${hook.port}`,
    };
    const run = (...words: string[]) => runInProcess(["notices", ...words], { environment });
    const address = `http://127.0.0.1:${hook.port}/geheim`;
    try {
      const added = JSON.parse((await run("add", "ops", "chat", address, "--server", "--json")).out);
      expect(added).toMatchObject({
        name: "ops",
        organizationId: null,
        kinds: [...NOTICE_KINDS],
        secret: null,
      });
      const hooked = await run("add", "program", "webhook", address, "--kind", "source-failing");
      expect(hooked.out).toMatch(/docent_whs_\w+\n$/);
      const listed = await run("list");
      expect(listed.out).toContain("the server");
      expect(listed.out).not.toContain("geheim");
      expect(await run("try", added.id)).toMatchObject({ code: 0, out: "Sent: status 200.\n" });
      expect(await run("try", added.id)).toMatchObject({ code: 1, out: "Not sent: status 403.\n" });
      expect(JSON.parse(bodies[0] ?? "").text).toContain("try it out");
      expect((await run("remove", added.id)).code).toBe(0);
      const REFUSED = [
        [["try", "none"], "Not found"],
        [["add", "x", "fax", address], "There is no channel fax."],
        [["add", "x", "chat", address, "--kind", "weather"], "no notices of the kind weather"],
        [["add", "x", "chat", address, "--server", "--organization", "default"], "not for both"],
        [["add", "x", "chat", "http://elsewhere.example/"], "hand_over_hosts"],
      ] as const;
      for (const [words, says] of REFUSED) {
        const { code, err } = await run(...words);
        expect([code, err]).toEqual([1, expect.stringContaining(says)]);
      }
    } finally {
      await hook.stop(true);
    }
  });
});
