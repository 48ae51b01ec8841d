import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, MINUTE_MS, systemClock } from "../../../src/kernel/lib/clock.ts";
import {
  answersCondition,
  backupCondition,
  diskCondition,
  gapsCondition,
  goldenCondition,
  sourceCondition,
} from "../../../src/running/upkeep/conditions.ts";
import { createLooks } from "../../../src/running/upkeep/notices.ts";
import { isOnRequest, NOTICE_KINDS } from "../../../src/sites/notices/notices.ts";
import { startDocent } from "../../helpers/docent.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { GOLDEN_DOCS, openGoldenSite } from "../../helpers/golden-site.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { testLog } from "../../helpers/test-log.ts";
import { addTurn } from "../../helpers/turn-data.ts";

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

  test("a generation by its golden questions: once its report is there, while it is news", () => {
    const worsened = { id: "check", at: TEST_TIME, number: 15, before: 14, asked: 42, worse: 12 };
    const said = Array.from({ length: 11 }, (_, n) => `question ${n}`);
    const of = (ageMs: number, hasReport: boolean, change: object = {}) =>
      goldenCondition({ ...worsened, said, ...change }, SITE, {
        url: "u",
        hasReport,
        now: TEST_TIME + ageMs,
      });
    expect([of(0, false), of(4 * MINUTE_MS, false), of(DAY_MS, true)].map(({ state }) => state)).toEqual([
      "unknown",
      "unknown",
      "unknown",
    ]);
    const told = of(0, true);
    expect(told).toMatchObject({
      subject: "check",
      state: "bad",
      isOnce: true,
      title: "Acme: 12 golden questions got worse",
      url: "u/content/generations/15",
    });
    expect(told.text).toStartWith(
      "Generation 15 answers 12 of 42 golden questions worse than generation 14.\nquestion 0\n",
    );
    expect(told.text).toEndWith("question 9\nand 2 more");
    // A report that never came leads to what the runs said.
    expect(of(5 * MINUTE_MS, false)).toMatchObject({ state: "bad", url: "u/content/golden" });
    const alone = of(0, true, { asked: 1, worse: 1, said: [] });
    expect(alone.title).toBe("Acme: a golden question got worse");
    expect(alone.text).toBe(
      "Generation 15 answers the golden question worse than generation 14.\nThe report shows which.",
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
      clock: systemClock,
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
        kinds: NOTICE_KINDS.filter((kind) => !isOnRequest(kind)),
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

describe("a generation that answers golden questions worse", () => {
  const INSTALL = "How do I install Acme on Linux?";
  const BACKUP = "How is a backup of the database written?";

  /** A site with golden questions, and somebody who wants to hear of them. */
  async function opened() {
    let laterMs = 0;
    const clock = () => systemClock() + laterMs;
    const it = await openGoldenSite(GOLDEN_DOCS, {
      clock,
      settings: { hand_over_hosts: "hooks.acme.example" },
    });
    const { parts } = it;
    await it.keep(INSTALL, "install");
    await it.keep(BACKUP, "backup");
    const destination = {
      organizationId: undefined,
      name: "ops",
      channel: "chat",
      address: "https://hooks.acme.example/x",
    } as const;
    await parts.notices.add({ ...destination, kinds: ["golden-worse"] });
    const { log, lines } = testLog();
    const look = createLooks({ parts, directory: it.data, publicUrl: "http://docent.example", clock, log });
    const told = new Set<string>();
    return {
      ...it,
      destination,
      lines,
      advance(ms: number) {
        laterMs += ms;
      },
      /** What is told of anew. */
      async told() {
        await look.often(NEVER);
        const due = await parts.storage.people.notices.due(clock(), 100);
        const found = due.filter(({ id }) => !told.has(id)).map(({ notice }) => notice);
        for (const { id } of due) told.add(id);
        return found;
      },
    };
  }

  test("is told of once, whatever is published, looked at or gone back to after it", async () => {
    await using it = await opened();
    await it.run({ "new.md": "# New\n\nA giraffe." });
    expect(await it.told()).toEqual([]);
    await it.run({ "install.md": undefined }, { force: true });
    // Another one comes before anybody has looked.
    await it.run({ "new.md": "# New\n\nAnother giraffe." });
    const found = await it.told();
    expect(found).toMatchObject([
      {
        kind: "golden-worse",
        state: "bad",
        site: { domain: "acme" },
        title: "Acme: a golden question got worse",
        url: "http://docent.example/dashboard/default/acme/content/generations/3",
      },
    ]);
    expect(found[0]?.text).toBe(
      `Generation 3 answers 1 of 2 golden questions worse than generation 2.\n${INSTALL}: place 1 → no answer, the page install is gone`,
    );
    expect(await it.told()).toEqual([]);
    for (const generation of [2, 3]) {
      await it.parts.sources.generations.rollBack((await it.site()).id, generation);
      expect(await it.told()).toEqual([]);
    }
    it.advance(2 * DAY_MS);
    expect(await it.told()).toEqual([]);
    it.advance(-2 * DAY_MS);
    expect(await it.told()).toEqual([]);
    expect(it.lines).toEqual([]);
  });

  test("is not told of where readers never get it, or where it answers as well or better", async () => {
    await using it = await opened();
    const refused = await it.run({ "install.md": undefined }, { force: true, requiresGolden: true });
    expect(refused.refused).toBeDefined();
    // Later than the report of a generation would be waited for.
    it.advance(6 * MINUTE_MS);
    expect(await it.told()).toEqual([]);
    expect(it.lines).toEqual([]);
    await it.run({ "install.md": GOLDEN_DOCS["install.md"], "new.md": "# New\n\nA giraffe." });
    expect(await it.told()).toEqual([]);
  });

  test("of yesterday is no news to a destination that is added now", async () => {
    await using it = await opened();
    const [{ id = "" } = {}] = await it.parts.notices.list();
    await it.parts.notices.remove(id);
    await it.run({ "install.md": undefined }, { force: true });
    it.advance(DAY_MS);
    await it.run({ "backup.md": undefined }, { force: true });
    await it.parts.notices.add({ ...it.destination, kinds: ["golden-worse"] });
    expect(await it.told()).toMatchObject([{ text: expect.stringContaining("Generation 3 answers") }]);
  });

  test("is told of without the words of readers, which can be deleted", async () => {
    await using it = await opened();
    const { threads } = it.parts.storage.conversations;
    const words = "Where do I set the forwarded header for nginx in front of Acme?";
    const end = { outcome: "answered" } as const;
    await addTurn(threads, { siteId: it.siteId, id: "t", asked: { text: words }, end });
    const question = { question: words, expected: ["proxy"], version: "", language: "", groups: undefined };
    await it.parts.storage.reports.golden.add(it.siteId, [
      { ...question, id: "of-reader", turnId: "t", origin: "hand", at: 0 },
      // Its conversation has grown old.
      { ...question, id: "liked", turnId: undefined, origin: "liked", at: 0 },
    ]);
    await it.run({ "proxy.md": undefined, "install.md": undefined }, { force: true });
    const [notice] = await it.told();
    expect(notice?.text).toContain("Generation 2 answers 3 of 4 golden questions worse");
    expect(notice?.text).toContain(INSTALL);
    expect(notice?.text).toEndWith("and 2 more");
    expect(JSON.stringify(notice)).not.toContain("forwarded");
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
        // What is told of with every change is asked for by its name.
        kinds: NOTICE_KINDS.filter((kind) => kind !== "generation-report"),
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
      const told = await run("set", added.id, "--kind", "generation-report");
      expect(told).toMatchObject({ code: 0, out: "ops is told of: generation-report.\n" });
      const set = await run("set", added.id, "--name", "others", "--kind", "answer-stale");
      expect(set).toMatchObject({ code: 0, out: "others is told of: answer-stale.\n" });
      const silent = JSON.parse((await run("set", added.id, "--kind", "none", "--json")).out);
      expect(silent).toMatchObject({ name: "others", kinds: [], leadsTo: added.leadsTo });
      const recorded = await runInProcess(["audit", "--json"], { environment });
      expect(recorded.out.match(/notice-destination\.changed/g)).toHaveLength(3);
      expect((await run("remove", added.id)).code).toBe(0);
      const REFUSED = [
        [["try", "none"], "Not found"],
        [["set", "none", "--name", "x"], "Not found"],
        [["set", JSON.parse((await run("list", "--json")).out)[0].id, "--kind", "disk-full"], "the server"],
        [["add", "x", "fax", address], "There is no channel fax."],
        [["add", "x", "chat", address, "--kind", "weather"], "no notices of the kind weather"],
        [["add", "x", "chat", address, "--server", "--organization", "default"], "not for both"],
        [["add", "x", "chat", "http://elsewhere.example/"], "hand_over_hosts"],
        [["add", "x", "chat", "http://elsewhere.example/"], "docs/notices.md says"],
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
