import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { generationReportShape } from "../../../../src/doors/admin/golden/shapes.ts";
import { DAY_MS, MINUTE_MS, systemClock } from "../../../../src/kernel/lib/clock.ts";
import { createLooks } from "../../../../src/running/upkeep/notices.ts";
import { payloadOf } from "../../../../src/sites/notices/notices.ts";
import { startDocent } from "../../../helpers/docent.ts";
import { GOLDEN_DOCS, openGoldenSite, writeDocs } from "../../../helpers/golden-site.ts";
import { runInProcess } from "../../../helpers/run-in-process.ts";
import { temporaryDirectory } from "../../../helpers/temporary-directory.ts";
import { testLog } from "../../../helpers/test-log.ts";
import { addTurn } from "../../../helpers/turn-data.ts";

const NEVER = new AbortController().signal;

/** A site that has been read, and somebody who wants to hear what its generations change. */
async function opened() {
  let laterMs = 0;
  const clock = () => systemClock() + laterMs;
  const it = await openGoldenSite(GOLDEN_DOCS, {
    clock,
    settings: { hand_over_hosts: "hooks.acme.example" },
  });
  const { parts } = it;
  const { log, lines } = testLog();
  const look = createLooks({ parts, directory: it.data, publicUrl: "http://docent.example", clock, log });
  const add = (name: string) =>
    parts.notices.add({
      organizationId: undefined,
      name,
      channel: "webhook",
      address: "https://hooks.acme.example/x",
      kinds: ["generation-report"],
    });
  const told = new Set<string>();
  return {
    ...it,
    lines,
    add,
    advance(ms: number) {
      laterMs += ms;
    },
    rollBack: async (number?: number) => parts.sources.generations.rollBack(it.siteId, number),
    /** What is told of anew, as a webhook gets it. */
    async told() {
      await look.often(NEVER);
      const due = await parts.storage.people.notices.due(clock(), 100);
      const found = due.filter(({ id }) => !told.has(id));
      for (const { id } of found) told.add(id);
      return found.map(({ notice, destinationId }) => ({ ...payloadOf(notice), destinationId }));
    },
    /** The same by state and number. */
    async states() {
      return (await this.told()).map(({ state, report }) => `${state} ${report?.["number"]}`);
    },
  };
}

const page = (name: string, about: string) => ({ [`${name}.md`]: `# ${name}\n\nAbout ${about}.` });

describe("what a generation changed for readers", () => {
  test("reaches a webhook once with its report, whoever published it, and not again after a restart", async () => {
    const received: { kind: string; state: string; title: string; url: string; report: object }[] = [];
    let arrived = Promise.withResolvers<void>();
    const hook = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        received.push(JSON.parse(await request.text()));
        arrived.resolve();
        return new Response("ok");
      },
    });
    using place = temporaryDirectory();
    const docs = join(place.path, "docs");
    const data = join(place.path, "data");
    const start = () =>
      startDocent({ data, docs: null, settings: { hand_over_hosts: `127.0.0.1:${hook.port}` } });
    const command = async (...words: string[]) => {
      const { code, err } = await runInProcess(words, { environment: { DOCENT_DATA: data } });
      expect([code, err]).toEqual([0, expect.any(String)]);
    };
    const round = async ({ app, url, log }: Awaited<ReturnType<typeof start>>) => {
      const { parts } = app;
      await createLooks({ parts, directory: data, publicUrl: url, clock: systemClock, log }).often(NEVER);
      await parts.notices.sendDue(NEVER);
    };
    let docent = await start();
    try {
      const address = `http://127.0.0.1:${hook.port}/x`;
      await docent.app.parts.notices.add({
        organizationId: undefined,
        name: "program",
        channel: "webhook",
        address,
        kinds: ["generation-report"],
      });
      writeDocs(docs, GOLDEN_DOCS);
      await command("ingest", "acme", docs);
      await round(docent);
      await round(docent);
      expect(received).toMatchObject([
        { kind: "generation-report", state: "news", title: "Acme: readers see generation 1" },
      ]);

      // No server is there to look: the next one does as it starts.
      await docent.close();
      writeDocs(docs, { ...page("new", "a giraffe"), "proxy.md": undefined });
      await command("ingest", "acme", docs, "--force");
      arrived = Promise.withResolvers<void>();
      docent = await start();
      await arrived.promise;
      // What is cut off while it is being sent is sent once more.
      while ((await docent.app.parts.notices.list())[0]?.waiting !== 0) await Bun.sleep(5);
      await round(docent);
      const [, second] = received;
      expect(second?.url).toBe(`${docent.url}/dashboard/default/acme/content/generations/2`);
      expect(second?.report).toEqual(generationReportShape.parse(second?.report));
      const site = await docent.app.parts.people.sites.get("acme");
      expect(second?.report).toEqual(await docent.app.parts.golden.report(site, 2));
      expect(second?.report).toMatchObject({
        number: 2,
        before: 1,
        pages: {
          counts: { added: 1, changed: 0, removed: 1, moved: 0 },
          added: [{ path: "new" }],
          removed: [{ path: "proxy" }],
        },
      });

      await docent.close();
      docent = await start();
      await round(docent);
      expect(received).toHaveLength(2);

      await command("generations", "rollback", "acme");
      await round(docent);
      await round(docent);
      expect(received.slice(2)).toMatchObject([{ state: "undone", report: { number: 2, before: 1 } }]);
    } finally {
      await docent.close();
      await hook.stop(true);
    }
  });

  test("is told in a few words, with where the report is", async () => {
    await using it = await opened();
    await it.add("ops");
    await it.keep("How do I install Acme on Linux?", "install");
    await it.run(
      { ...page("new", "a giraffe"), "install.md": undefined, "backup.md": "# Back up\n\nOften." },
      { force: true },
    );
    const [notice, ...more] = await it.told();
    expect(more).toEqual([]);
    expect(notice).toMatchObject({
      kind: "generation-report",
      state: "news",
      site: { domain: "acme" },
      url: "http://docent.example/dashboard/default/acme/content/generations/2",
      report: { golden: { worse: [{ question: "How do I install Acme on Linux?" }] } },
    });
    expect(notice?.text).toBe(
      `Acme: readers see generation 2\n\nCompared with generation 1:\nPages: 1 added, 1 changed, 1 removed.\nGolden questions: 1 worse.\n\n${notice?.url}`,
    );
    expect(it.lines).toEqual([]);
  });

  test("is told of again where somebody goes back from it or to it, at whatever time", async () => {
    await using it = await opened();
    await it.add("ops");
    await it.run(page("two", "a giraffe"));
    await it.run(page("three", "a zebra"));
    expect(await it.states()).toEqual(["news 2", "news 3"]);
    it.advance(3 * DAY_MS);
    expect(await it.states()).toEqual([]);
    await it.rollBack();
    const [back] = await it.told();
    expect(back).toMatchObject({ state: "undone", title: "Acme: generation 3 was taken back" });
    expect(back?.text).toContain(
      "Readers see generation 2 now. What generation 3 had changed:\nPages: 1 added.",
    );
    expect(await it.states()).toEqual([]);
    await it.rollBack(3);
    expect(await it.told()).toMatchObject([{ state: "news", title: "Acme: readers see generation 3 again" }]);
    expect(await it.states()).toEqual([]);
    await it.rollBack(1);
    expect((await it.states()).sort()).toEqual(["undone 2", "undone 3"]);
    // What is built on the first one brings neither of them back.
    await it.run({ ...page("four", "a hippo"), "two.md": undefined, "three.md": undefined });
    expect(await it.states()).toEqual(["news 4"]);
    expect(await it.states()).toEqual([]);
  });

  test("is told with what was taken back for it, where nobody looked between", async () => {
    await using it = await opened();
    await it.add("ops");
    await it.run(page("two", "a giraffe"));
    expect(await it.states()).toEqual(["news 2"]);
    // This one is gone before anybody has heard of it.
    await it.run(page("three", "a zebra"));
    await it.rollBack(1);
    await it.run({ ...page("four", "a hippo"), "two.md": undefined, "three.md": undefined });
    expect(await it.states()).toEqual(["undone 2", "news 4"]);
    expect(await it.states()).toEqual([]);
  });

  test("is not told of where nothing did, or where readers have seen it for a day", async () => {
    await using it = await opened();
    it.advance(DAY_MS + MINUTE_MS);
    await it.add("ops");
    await it.run({ "secret.md": "---\nhidden: true\n---\n# Hidden\n\nA giraffe." });
    expect((await it.site()).generation).toBe(2);
    expect(await it.states()).toEqual([]);
    await it.run(page("three", "a zebra"));
    it.advance(DAY_MS);
    expect(await it.states()).toEqual([]);
  });

  test("is told of where the run was ended before it could report, without what readers asked", async () => {
    await using it = await opened();
    await it.add("ops");
    await it.states();
    await it.keep("How do I install Acme on Linux?", "install");
    const { threads } = it.parts.storage.conversations;
    await addTurn(threads, {
      siteId: it.siteId,
      id: "t",
      asked: { text: "Why?" },
      end: { outcome: "answered" },
    });
    // Somebody ends it when all is ready: readers get it, and nobody is asked what became of their questions.
    const stop = new AbortController();
    const options = { force: true, signal: stop.signal, onGolden: () => stop.abort() };
    await it.run({ ...page("new", "a giraffe"), "install.md": undefined }, options).catch(() => {});
    expect((await it.site()).generation).toBe(2);
    expect(await it.golden.hasReport(it.siteId, 2)).toBe(false);
    it.advance(4 * MINUTE_MS);
    expect(await it.states()).toEqual([]);
    it.advance(2 * MINUTE_MS);
    expect(await it.told()).toMatchObject([
      {
        state: "news",
        report: {
          number: 2,
          before: 1,
          pages: { added: [{ path: "new" }], removed: [{ path: "install" }] },
          golden: { worse: [{ question: "How do I install Acme on Linux?" }] },
          questions: { asked: 0 },
        },
      },
    ]);
    expect(await it.states()).toEqual([]);
    expect(it.lines).toEqual([]);
  });

  test("is told to nobody who asked for it only afterwards", async () => {
    await using it = await opened();
    await it.add("early");
    await it.run(page("two", "a giraffe"));
    it.advance(MINUTE_MS);
    const { id } = await it.add("late");
    const of = async () => (await it.told()).filter(({ destinationId }) => destinationId === id).length;
    expect(await of()).toBe(0);
    await it.run(page("three", "a zebra"));
    expect(await of()).toBe(1);
    expect(await it.states()).toEqual([]);
  });

  test("names no more than a hundred pages of a kind, and counts all", async () => {
    await using it = await opened();
    await it.add("ops");
    const many = Array.from({ length: 120 }, (_, n) => page(`p${n}`, `giraffe ${n}`));
    await it.run(Object.assign({}, ...many));
    const [notice] = await it.told();
    const { pages } = generationReportShape.parse(notice?.report);
    expect([pages.counts.added, pages.added.length]).toEqual([120, 100]);
  });

  test("is told without what readers asked, which can be deleted", async () => {
    await using it = await opened();
    await it.add("ops");
    const { threads } = it.parts.storage.conversations;
    const ask = (id: string, text: string, outcome: "answered" | "unanswered") =>
      addTurn(threads, { siteId: it.siteId, id, threadId: id, asked: { text }, end: { outcome } });
    await ask("turn-of-ann", "What do giraffes eat?", "unanswered");
    await ask("turn-of-bob", "Where do I set the forwarded header for nginx?", "answered");
    await it.parts.storage.reports.golden.add(it.siteId, [
      {
        id: "of-reader",
        turnId: "turn-of-bob",
        origin: "liked",
        question: "Where do I set the forwarded header for nginx?",
        expected: ["proxy"],
        version: "",
        language: "",
        groups: undefined,
        at: 0,
      },
    ]);
    await it.run(
      { "giraffe.md": "# Giraffes\n\nGiraffes eat acacia.", "proxy.md": undefined },
      { force: true },
    );
    expect((await it.golden.report(await it.site(), 2)).questions.gained).toHaveLength(1);
    const [notice] = await it.told();
    const report = generationReportShape.parse(notice?.report);
    expect(report.questions).toEqual({ asked: 2, counts: { gained: 1, lost: 1 }, gained: [], lost: [] });
    expect(report.golden?.worse).toMatchObject([{ id: "of-reader", question: null, expected: [] }]);
    expect(notice?.text).toContain(
      "Readers’ questions: 1 answered now and not before, 1 not answered any more.",
    );
    expect(JSON.stringify(notice)).not.toMatch(/eat|nginx|turn-of/);
  });
});
