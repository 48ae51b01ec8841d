import { describe, expect, test } from "bun:test";
import { sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { GOLDEN_DOCS, openGoldenSite } from "../../helpers/golden-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addTurn } from "../../helpers/turn-data.ts";

const INSTALL = "How do I install Acme on Linux?";
const BACKUP = "How is a backup of the database written?";
const { signal } = new AbortController();

describe("golden questions of a run", () => {
  test("one that loses its page is shown before readers see it, and readers see it then", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    await it.keep(BACKUP, "/backup.md");
    let seen = 0;
    const report = await it.run(
      { "install.md": undefined },
      {
        force: true,
        async onGolden({ worse }) {
          expect(worse).toMatchObject([
            {
              question: INSTALL,
              expected: ["install"],
              before: { rank: 1 },
              why: "the page install is gone",
            },
          ]);
          seen++;
        },
      },
    );
    expect(seen).toBe(1);
    expect(report).toMatchObject({
      generation: 2,
      refused: undefined,
      golden: { asked: 2, isRefused: false },
    });
    expect(await it.lastRun()).toMatchObject({
      outcome: "published",
      counts: { goldenAsked: 2, goldenWorse: 1 },
    });
    const [check] = await it.golden.checks(it.siteId);
    expect(check).toMatchObject({ before: 1, generation: 2, refused: false, asked: 2 });
    expect(check?.worse).toMatchObject([{ question: INSTALL, why: { reason: "gone", page: "install" } }]);
  });

  test("one whose page is published at another ending has not lost it", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    const html =
      "<h1>Install Acme</h1><p>Install Acme on Linux with the zebra package: run acme-install.</p>";
    const report = await it.run({ "install.md": undefined, "install.html": html }, { force: true });
    expect(report).toMatchObject({ added: 1, removed: 1, golden: { asked: 1, isRefused: false } });
    expect(await it.lastRun()).toMatchObject({ counts: { goldenAsked: 1, goldenWorse: 0 } });
  });

  test("one whose page is found elsewhere on the published site has not lost it, before and after the switch", async () => {
    await using site = startFakeSite({
      "/v5/install": `<title>Install Acme</title><main><h1 id="i">Install Acme</h1><p>Words.</p></main>`,
    });
    site.pages["/sitemap.xml"] = sitemapOf([`${site.url}/v5/install`]);
    await using it = await openGoldenSite(GOLDEN_DOCS, { settings: { private_hosts: "127.0.0.1" } });
    await it.keep(INSTALL, "install");
    const { ofSites } = it.parts.sources;
    const source = await ofSites.publish(it.source, site.url);
    const report = await ofSites.run(await it.site(), source, { signal, requiresGolden: true });
    expect(report).toMatchObject({ added: 1, removed: 1, golden: { worse: [], isRefused: false } });
    const [asked] = await it.golden.run(it.siteId, signal);
    expect(asked?.standing).toMatchObject({ rank: 1, page: "v5/install" });
  });

  test("what is shown is kept before the switch: with the generation that readers see, and none that it became", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    const stop = new AbortController();
    const running = it.run(
      { "install.md": undefined },
      { force: true, signal: stop.signal, onGolden: () => stop.abort() },
    );
    await running.catch(() => {});
    const [check] = await it.golden.checks(it.siteId);
    expect(check).toMatchObject({ before: 1, refused: false });
    expect(check?.worse).toHaveLength(1);
  });

  test("where they must not get worse, readers keep what they see, and what was read stays staged", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    const lose = { "install.md": undefined, "new.md": "# New\n\nA new giraffe." };
    const refused = await it.run(lose, { force: true, requiresGolden: true });
    expect(refused).toMatchObject({ generation: 1, golden: { isRefused: true } });
    expect(refused.refused).toBe("The golden question would get worse: readers still see generation 1.");
    expect((await it.site()).generation).toBe(1);
    expect(await it.lastRun()).toMatchObject({
      outcome: "refused",
      generation: undefined,
      message: "The golden question would get worse: readers still see generation 1.",
    });
    const find = async (text: string) =>
      (
        await it.parts.content.search.find({ siteId: it.siteId, audience: "everything", text, pageSize: 5 })
      ).hits.map(({ path }) => path);
    expect(await find("install Acme on Linux")).toContain("install");
    expect(await find("giraffe")).not.toContain("new");
    expect((await it.golden.checks(it.siteId))[0]).toMatchObject({ refused: true, generation: null });
    const taken = await it.run({}, { force: true });
    expect(taken).toMatchObject({ resumed: true, generation: 2, added: 1, removed: 1, refused: undefined });
    expect((await find("giraffe"))[0]).toBe("new");
    expect(await find("install Acme on Linux")).not.toContain("install");
  });

  test("a refused run is asked again whenever it is read, and published once its page is back", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    const options = { force: true, requiresGolden: true };
    const change = { "install.md": undefined, "new.md": "# New\n\nA new giraffe." };
    expect((await it.run(change, options)).refused).toBeDefined();
    expect((await it.run({}, options)).refused).toBeDefined();
    const report = await it.run({ "install.md": GOLDEN_DOCS["install.md"] }, options);
    expect(report).toMatchObject({ generation: 2, added: 1, removed: 0, refused: undefined });
  });

  test("the site's setting holds for every run, unless whoever runs it accepts what gets worse", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    await it.parts.people.sites.set("acme", { settings: { goldenQuestions: "require" } });
    expect((await it.run({ "install.md": undefined }, { force: true })).refused).toBeDefined();
    expect((await it.site()).generation).toBe(1);
    expect(await it.run({}, { force: true, acceptsWorse: true })).toMatchObject({
      generation: 2,
      refused: undefined,
      golden: { isRefused: false },
    });
  });

  test.each([
    [
      "a page at another path",
      { "install.md": undefined, "guide/setup.md": GOLDEN_DOCS["install.md"] },
      { reason: "moved", page: "guide/setup" },
    ],
    [
      "a page that another one comes before",
      {
        "install.md": "# Install Acme\n\nInstall Acme.",
        "linux.md": `# ${INSTALL}\n\nHow you install Acme on Linux: install Acme on Linux with acme-install on Linux.`,
      },
      { reason: "outranked", page: "linux" },
    ],
    [
      "words that nothing has any more",
      { "install.md": "# Penguins\n\nThey swim." },
      { reason: "refused", page: null },
    ],
  ] as const)("it is told why: %s", async (_, change, why) => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    await it.run(change, { force: true });
    const [check] = await it.golden.checks(it.siteId);
    expect(check?.worse).toMatchObject([{ before: { rank: 1, page: "install" }, why }]);
  });

  test("what gets better is told, too, and stops nothing", async () => {
    await using it = await openGoldenSite();
    await it.run({ "giraffe.md": "# Penguins\n\nThey swim." });
    await it.keep("What do giraffes eat?", "giraffe");
    const report = await it.run(
      { "giraffe.md": "# Giraffes\n\nGiraffes eat acacia." },
      { requiresGolden: true },
    );
    expect(report).toMatchObject({ generation: 3, golden: { worse: [], better: [{ after: { rank: 1 } }] } });
  });

  test("a question is asked as an owner, who sees every page, unless it is for groups", async () => {
    const closed = "---\ngroups: staff\n---\n\n# Salaries\n\nSalaries are paid on the last Friday.";
    await using it = await openGoldenSite({ ...GOLDEN_DOCS, "salaries.md": closed });
    const written = { question: "When are salaries paid?", expected: ["salaries"] };
    const site = await it.site();
    await it.golden.questions.add(site, written);
    await it.golden.questions.add(site, { ...written, groups: ["guests"] });
    await it.golden.questions.add(site, { ...written, groups: ["staff"] });
    const asked = await it.golden.run(it.siteId, signal);
    const ranks = new Map(asked.map(({ question, standing }) => [question.groups?.join(), standing?.rank]));
    expect([ranks.get(undefined), ranks.get("guests"), ranks.get("staff")]).toEqual([1, undefined, 1]);
  });

  test("a run that changes nothing, and the first one of a site, ask nothing", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    expect((await it.run()).golden).toBeUndefined();
    expect(await it.golden.checks(it.siteId)).toEqual([]);
  });

  test("where questions cannot be asked, a run is published, and one that needs their consent fails", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    const find = it.parts.content.search.at;
    it.parts.content.search.at = () => {
      throw new Error("broken");
    };
    const needy = () => it.run({ "new.md": "# New\n\nWords." }, { requiresGolden: true });
    expect(await needy().catch(String)).toBe("Error: broken");
    expect((await it.site()).generation).toBe(1);
    expect(await it.run()).toMatchObject({ generation: 2, golden: undefined });
    it.parts.content.search.at = find;
  });

  test("two runs of the same docs say the same", async () => {
    const outcomes = [];
    for (let time = 0; time < 2; time++) {
      await using it = await openGoldenSite();
      await it.keep(INSTALL, "install");
      await it.keep(BACKUP, "backup");
      const { golden } = await it.run(
        { "install.md": "# Install\n\nSee elsewhere.", "backup.md": undefined },
        { force: true },
      );
      // Both were added in a moment: neither comes first.
      const worse = golden?.worse.toSorted((a, b) => (a.question < b.question ? -1 : 1));
      outcomes.push({ ...golden, checkId: "", worse });
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
  });
});

describe("what a generation is to readers", () => {
  test("pages that were added, changed, removed and moved are told, and golden questions", async () => {
    await using it = await openGoldenSite();
    await it.keep(INSTALL, "install");
    await it.run(
      {
        "install.md": undefined,
        "guide/setup.md": GOLDEN_DOCS["install.md"],
        "backup.md": "# Back up the database\n\nIt is written hourly.",
        "proxy.md": undefined,
        "new.md": "# New\n\nA giraffe.",
      },
      { force: true },
    );
    const report = await it.golden.report(await it.site(), 2);
    expect(report).toMatchObject({
      number: 2,
      before: 1,
      golden: { asked: 1, worse: [{ question: INSTALL }] },
    });
    expect(report.pages).toEqual({
      counts: { added: 1, changed: 1, removed: 1, moved: 1 },
      added: [{ path: "new", title: "New" }],
      changed: [{ path: "backup", title: "Back up the database" }],
      removed: [{ path: "proxy", title: "Behind a reverse proxy" }],
      moved: [{ path: "guide/setup", title: "Install Acme", from: "install" }],
    });
  });

  test("readers' questions that are answered now and were not, and the other way round, are told by how often they were asked", async () => {
    await using it = await openGoldenSite();
    const { threads } = it.parts.storage.conversations;
    const ask = (id: string, text: string, outcome: "answered" | "unanswered") =>
      addTurn(threads, { siteId: it.siteId, id, threadId: id, asked: { text }, end: { outcome } });
    await ask("1", "What do giraffes eat?", "unanswered");
    await ask("2", "what do giraffes eat", "unanswered");
    await ask("3", "How is a backup of the database written?", "answered");
    await ask("4", "How do I install Acme on Linux?", "answered");
    await it.run(
      { "giraffe.md": "# Giraffes\n\nGiraffes eat acacia.", "backup.md": undefined },
      { force: true },
    );
    const { questions } = await it.golden.report(await it.site(), 2);
    expect(questions).toMatchObject({
      asked: 3,
      counts: { gained: 1, lost: 1 },
      gained: [
        { question: expect.stringMatching(/what do giraffes eat/i), asked: 2, isGap: true, page: "giraffe" },
      ],
      lost: [{ messageId: "3", question: BACKUP, asked: 1, isGap: false, page: "backup" }],
    });
    await it.parts.reports.retention.removeThread(it.siteId, "3");
    const { counts, lost } = (await it.golden.report(await it.site(), 2)).questions;
    expect([counts, lost]).toEqual([{ gained: 1, lost: 0 }, []]);
  });

  test("a generation that no run has made here has none", async () => {
    await using it = await openGoldenSite();
    expect((await appErrorOf(async () => it.golden.report(await it.site(), 9))).code).toBe("not_found");
  });
});
