import { describe, expect, test } from "bun:test";
import { createCurated } from "../../../src/answering/curated/curated.ts";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { NO_COUNTS, stagedPage } from "../../helpers/page-data.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

const answer = (question: string, body: string) => `---\nquestion: ${question}\n---\n\n${body}\n`;
const GUIDE = "# Install\n\n## Linux\n\nRun the script.\n";
const DOCS = {
  "guide/install": GUIDE,
  "answers/reset": answer("How do I reset my password?", "Press [reset](../guide/install.md#linux)."),
  "answers/plain": "# A page\n\nWords of a page about zebras.\n",
};
const signal = new AbortController().signal;

async function opened(docs: Record<string, string> = DOCS) {
  const it = await openIngestSite();
  const curated = createCurated({
    store: it.storage.curated,
    embedder: wordEmbedder(),
    clock: it.clock,
    log: quietLog(),
    settings: { curated_min: 0.85, question_vector_seconds: 3600, page_bytes: 10_000 },
  });
  if (Object.keys(docs).length > 0) await it.run(docs);
  const site = await it.storage.sites.findSite("docs");
  if (!site) throw new Error("the site is not there");
  const ask = (question: string, filter = {}) =>
    curated.match({ audience: "everything", site, question, filter }, signal);
  const states = async () =>
    Object.fromEntries((await curated.review(site)).map(({ name, concerns }) => [name, concerns.join("; ")]));
  return { ...it, it, curated, site, ask, states, [Symbol.dispose]: () => it[Symbol.dispose]() };
}

describe("curated answers of a source", () => {
  test("are taken in beside its pages, and noted in the ledger as what they are", async () => {
    using it = await opened();
    expect(await it.ask("how can i reset my password")).toMatchObject({ name: "reset", generation: 1 });
    expect(await it.decisions()).toEqual({
      "guide/install.md": "added",
      "answers/reset.md": "added",
      "answers/plain.md": "added",
    });
    const [source] = await it.storage.sources.list(it.site.id);
    const entries = await it.storage.ledger.entries(source?.id ?? 0);
    expect(entries.find(({ location }) => location === "answers/reset.md")).toMatchObject({
      detail: "is a curated answer",
      reason: undefined,
      passages: 0,
    });
  });

  test("are no pages: only a file without questions is one", async () => {
    using it = await opened();
    expect(await it.storage.pages.countPages(it.site.id)).toEqual({ pages: 2, passages: 2 });
    expect(await it.page("answers/reset")).toEqual([]);
    expect(await it.page("answers/plain")).toEqual(["# A page\n\nWords of a page about zebras."]);
  });

  test("are said to be wrong where they have no usable question or no words, and never given", async () => {
    using it = await opened({
      ...DOCS,
      "answers/none": "---\nquestions:\n---\n\nText.",
      "answers/mute": answer("Why?", ""),
    });
    const entries = await it.storage.ledger.entries(1);
    const said = (file: string) => entries.find(({ location }) => location === file)?.detail;
    expect(said("answers/none.md")).toBe("a curated answer needs questions");
    expect(said("answers/mute.md")).toBe("a curated answer needs words");
    expect(await it.states()).toMatchObject({
      none: "a curated answer needs questions",
      mute: "a curated answer needs words",
    });
    expect(await it.ask("Why?")).toBeUndefined();
  });

  test("come back with an earlier generation, and go with the run that no longer finds them", async () => {
    using it = await opened();
    await it.run({ ...DOCS, "answers/reset": answer("How do I reset my password?", "Ask the owner.") });
    expect((await it.ask("reset my password"))?.markdown).toContain("Ask the owner.");
    const { "answers/reset": _, ...rest } = DOCS;
    await it.run(rest);
    expect(await it.ask("reset my password")).toBeUndefined();
    await it.generations.rollBack(it.site.id, 1);
    expect((await it.ask("reset my password"))?.markdown).toContain("Press");
    await it.run(rest);
    expect(await it.ask("reset my password")).toBeUndefined();
  });

  test("are kept back by their authors as pages are", async () => {
    using it = await opened({
      ...DOCS,
      "answers/draft": "---\nquestion: Is it out?\ndraft: true\n---\n\nSoon.",
    });
    expect(await it.ask("Is it out?")).toBeUndefined();
    expect((await it.states())["draft"]).toBe("kept back by its author");
  });

  test("lead to a page by the address that it had, once it has moved", async () => {
    using it = await opened();
    const markdown = answer("Where is Linux?", "[Here](/guide/install#linux), not [there](/gone).");
    await it.curated.add(it.site, { name: "by-hand", version: "", language: "", markdown });
    const source = await it.sourceOf();
    const { runId } = await it.storage.ingest.openRun(source, it.clock());
    await it.storage.ingest.drop(source, runId, ["guide/install"]);
    await it.storage.ingest.stage(source, runId, [stagedPage("manual/setup.html", "zebra")]);
    await createIndexKeeper({ store: it.storage.segments, log: quietLog() }).catchUp(it.site.id, {
      runId,
      signal,
    });
    await it.storage.ingest.publish(source, runId, {
      counts: { ...NO_COUNTS, added: 1, removed: 1 },
      redirects: [{ from: "guide/install", to: "manual/setup.html" }],
      at: it.clock(),
    });
    const reviewed = (await it.curated.review(it.site)).find(({ name }) => name === "by-hand");
    expect(reviewed?.pages).toEqual(["manual/setup.html"]);
    expect(reviewed?.concerns).toContain("leads to no page: gone");
    expect(reviewed?.concerns).not.toContain("leads to no page: guide/install");
  });

  test("are given for their version and language, those of the site's own first", async () => {
    using it = await opened();
    const write = (version: string, text: string) =>
      it.run(
        { "answers/v": answer("Which way?", text), only: "words" },
        { location: `/docs-${version}`, version },
      );
    await write("1", "The first.");
    await write("2", "The second.");
    const asked = async (filter = {}) => (await it.ask("which way", filter))?.markdown.trim();
    expect([await asked({ version: "1" }), await asked({ version: "2" })]).toEqual([
      "The first.",
      "The second.",
    ]);
    expect(await asked({ version: "3" })).toBeUndefined();
    await it.storage.sites.updateSite(it.site.id, {
      settings: { ...it.site.settings, defaultVersion: "2" },
    });
    const site = await it.storage.sites.findSite("docs");
    if (!site) throw new Error("the site is not there");
    const found = await it.curated.match(
      { audience: "everything", site, question: "which way", filter: {} },
      signal,
    );
    expect(found?.markdown.trim()).toBe("The second.");
  });

  test("are given to the groups and tags that they are for", async () => {
    const head = "---\nquestion: Who may?\ngroups: [staff]\ntags: [rights]\n---\n\nThe staff.";
    using it = await opened({ ...DOCS, "answers/who": head });
    const given = async (filter: object) => Boolean(await it.ask("Who may?", filter));
    expect(await given({})).toBe(true);
    expect([await given({ groups: ["staff"] }), await given({ groups: ["vets"] })]).toEqual([true, false]);
    expect([await given({ tag: "rights" }), await given({ tag: "other" })]).toEqual([true, false]);
  });

  test("are given to those alone whom their source is for as well", async () => {
    const plain = answer("Who may?", "The staff.");
    const other = "---\nquestion: Who else?\ngroups: [vets]\n---\n\nThe vets.";
    using it = await opened({});
    await it.run({ ...DOCS, "answers/who": plain, "answers/else": other }, {}, { groups: ["staff"] });
    const given = async (question: string, groups: string[]) => Boolean(await it.ask(question, { groups }));
    expect([await given("Who may?", ["staff"]), await given("Who may?", ["vets"])]).toEqual([true, false]);
    expect([await given("Who else?", ["staff"]), await given("Who else?", ["vets"])]).toEqual([false, false]);
    expect((await it.states())["else"]).toBe("is for nobody");
  });

  test("that are added by hand are not taken with groups that cannot be read", async () => {
    using it = await opened();
    const markdown = "---\nquestion: Who may?\ngroups: 5\n---\n\nThe staff.";
    const added = it.curated.add(it.site, { name: "who", version: "", language: "", markdown });
    expect((await appErrorOf(() => added)).message).toBe(
      "The answer cannot be used: groups in its front matter is not a list of texts.",
    );
  });
});

describe("a curated answer is flagged", () => {
  test("when a page that it cites has changed since, until its own file changes", async () => {
    using it = await opened();
    expect(await it.states()).toEqual({ reset: "" });
    const changed = { ...DOCS, "guide/install": `${GUIDE}\nAnd more.\n` };
    await it.run(changed);
    expect(await it.states()).toEqual({ reset: "page changed: guide/install" });
    expect(await it.ask("reset my password")).toBeDefined();
    await it.run({ ...changed, "answers/reset": `${DOCS["answers/reset"]}\nStill so.\n` });
    expect(await it.states()).toEqual({ reset: "" });
  });

  test("when there is no such page, and is given without that link", async () => {
    using it = await opened();
    await it.run({ "answers/reset": DOCS["answers/reset"], "answers/plain": DOCS["answers/plain"] });
    expect(await it.states()).toEqual({ reset: "leads to no page: guide/install" });
    const found = await it.ask("reset my password");
    expect([...(found?.links.values() ?? [])]).toEqual([{ kind: "gone", path: "guide/install" }]);
  });

  test("not when pages are read anew without a change, as another Docent does", async () => {
    using it = await opened();
    await it.curated.add(it.site, {
      name: "own",
      version: "",
      language: "",
      markdown: answer("Where?", "[Here](/guide/install)."),
    });
    const report = await it.run(DOCS, {}, { anchors: "sphinx" });
    expect(report.changed).toBe(3);
    expect(await it.states()).toEqual({ own: "", reset: "" });
  });
});

describe("an answer that is added by hand", () => {
  const own = (markdown: string, change = {}) => ({
    name: "own",
    version: "",
    language: "",
    markdown,
    ...change,
  });

  test("is given at once, stands before those of sources, and is confirmed by adding it again", async () => {
    using it = await opened();
    const markdown = answer("How do I reset my password?", "By hand: [it](/guide/install).");
    await it.curated.add(it.site, own(markdown));
    expect((await it.ask("How do I reset my password?"))?.name).toBe("own");
    await it.run({ ...DOCS, "guide/install": "# Install\n\nOther words.\n" });
    expect(await it.states()).toMatchObject({ own: "page changed: guide/install" });
    await it.curated.add(it.site, own(markdown));
    expect(await it.states()).toMatchObject({ own: "" });
    await it.curated.remove(it.site, "own");
    expect((await it.ask("How do I reset my password?"))?.name).toBe("reset");
  });

  test("is refused with what is wrong with it", async () => {
    using it = await opened();
    const refused = async (...[markdown, change]: Parameters<typeof own>) =>
      (await appErrorOf(() => it.curated.add(it.site, own(markdown, change)))).message;
    expect(await refused("Just words.")).toContain("a curated answer needs questions");
    expect(await refused(answer("How?", ""))).toContain("a curated answer needs words");
    expect(await refused("---\nquestions: [\n---\n\nx")).toContain("not valid YAML");
    expect(await refused(answer("How?", "x".repeat(10_001)))).toContain("10000 bytes");
    for (const name of ["", "../up", "a//b", "a b", "-x", "x".repeat(101)])
      expect(await refused(answer("How?", "x"), { name })).toContain("is not a name");
  });

  test("is all that can be removed: a source's answer goes with its file", async () => {
    using it = await opened();
    expect((await appErrorOf(() => it.curated.remove(it.site, "reset"))).hint).toContain("answers/reset.md");
    expect((await appErrorOf(() => it.curated.remove(it.site, "nothing"))).code).toBe("not_found");
  });
});
