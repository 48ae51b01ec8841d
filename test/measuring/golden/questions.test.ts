import { describe, expect, test } from "bun:test";
import { openGoldenSite } from "../../helpers/golden-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addTurn } from "../../helpers/turn-data.ts";

const INSTALL = "How do I install Acme?";

describe("golden questions that are kept", () => {
  test("a page is named by its path, its file, or its address, with an anchor or without", async () => {
    await using it = await openGoldenSite();
    const kept = await it.keep(INSTALL, "/install.md", "https://docs.acme.example/backup#nightly", "nowhere");
    expect(kept.expected).toEqual(["install", "backup#nightly"]);
  });

  test("one that names no page of the site is refused, and one that is kept already", async () => {
    await using it = await openGoldenSite();
    expect((await appErrorOf(() => it.keep(INSTALL, "nowhere"))).code).toBe("invalid_request");
    await it.keep(INSTALL, "install");
    expect((await appErrorOf(() => it.keep("how do I  install acme?", "backup"))).code).toBe("conflict");
    const site = await it.site();
    await it.golden.questions.add(site, { question: INSTALL, expected: ["install"], groups: ["staff"] });
    expect(await it.golden.questions.list(it.siteId)).toHaveLength(2);
  });

  test("no more than two hundred are kept, and what is left is told", async () => {
    await using it = await openGoldenSite();
    const many = Array.from({ length: 203 }, (_, n) => ({
      question: `Question ${n}?`,
      expected: ["install"],
    }));
    const site = await it.site();
    expect(await it.golden.questions.addAll(site, many)).toMatchObject({ added: 200, left: 3, known: 0 });
    expect((await appErrorOf(() => it.keep("One more?", "install"))).code).toBe("too_large");
    expect(await it.golden.questions.addAll(site, many.slice(0, 5))).toMatchObject({
      added: 0,
      known: 5,
      left: 0,
    });
  });

  test("the evaluation set becomes golden questions, each once, with what of it names a page", async () => {
    await using it = await openGoldenSite();
    const { analytics } = it.parts.reports;
    for (const [id, expected] of [
      ["1", ["install"]],
      ["2", ["gone"]],
    ] as const) {
      await addTurn(it.parts.storage.conversations.threads, { siteId: it.siteId, id });
      await analytics.evaluation.add(it.siteId, id, { question: `Question ${id}?`, expected: [...expected] });
    }
    const site = await it.site();
    expect(await it.golden.questions.importFrom(site, "evaluation")).toEqual({
      added: 1,
      known: 0,
      left: 0,
      unusable: 1,
      named: [{ question: "Question 2?", why: "there is no page gone" }],
    });
    expect(await it.golden.questions.list(it.siteId)).toMatchObject([
      { origin: "evaluation", turnId: "1", question: "Question 1?", expected: ["install"] },
    ]);
    expect(await it.golden.questions.importFrom(site, "evaluation")).toMatchObject({ added: 0, known: 1 });
  });

  test("liked answers become golden questions with the pages that they cite; others do not", async () => {
    await using it = await openGoldenSite();
    const { threads, feedback } = it.parts.storage.conversations;
    const { hits } = await it.parts.content.search.find({
      siteId: it.siteId,
      audience: "everything",
      text: INSTALL,
      pageSize: 1,
    });
    const [hit] = hits;
    const { passageId = 0, path = "", anchor = "", relevance = 0 } = hit ?? {};
    const retrieved = [{ passageId, path, anchor, relevance }];
    const cited = [{ url: "https://docs.acme.example/install", passageId }];
    for (const [id, helpful] of [
      ["liked", true],
      ["disliked", false],
    ] as const) {
      const asked = { text: `${id}: ${INSTALL}` };
      await addTurn(threads, { siteId: it.siteId, id, threadId: id, asked, end: { retrieved, cited } });
      await feedback.put(it.siteId, { messageId: id, threadId: id, helpful, comment: undefined }, 1);
    }
    expect(await it.golden.questions.importFrom(await it.site(), "liked")).toMatchObject({
      added: 1,
      unusable: 0,
    });
    const [kept, ...more] = await it.golden.questions.list(it.siteId);
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ origin: "liked", turnId: "liked", question: `liked: ${INSTALL}` });
    expect(kept?.expected[0]).toStartWith("install");
  });

  test("curated answers become golden questions with the pages that they lead to", async () => {
    await using it = await openGoldenSite();
    const site = await it.site();
    const answer = (name: string, body: string) =>
      it.parts.answers.curated.add(site, {
        name,
        version: "",
        language: "",
        markdown: `---\nquestions:\n  - ${name} one?\n  - ${name} two?\n---\n\n${body}`,
      });
    await answer("linked", "See [the guide](/install#linux), or [elsewhere](https://example.com).");
    await answer("alone", "Yes.");
    expect(await it.golden.questions.importFrom(site, "curated")).toEqual({
      added: 2,
      known: 0,
      left: 0,
      unusable: 2,
      named: [
        { question: "alone one?", why: "it names no page" },
        { question: "alone two?", why: "it names no page" },
      ],
    });
    const kept = await it.golden.questions.list(it.siteId);
    expect(kept.map(({ question, expected }) => [question, expected]).toSorted()).toEqual([
      ["linked one?", ["install"]],
      ["linked two?", ["install"]],
    ]);
  });
});
