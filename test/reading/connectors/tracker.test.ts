import { describe, expect, test } from "bun:test";
import {
  type AskedQuestion,
  type Comment,
  createChoice,
  isBot,
  type ListedQuestion,
  menuOfQuestions,
  writeQuestion,
} from "../../../src/reading/connectors/tracker/tracker.ts";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";

const said = (author: string, body: string, change: Partial<Comment> = {}): Comment => ({
  author,
  isBot: isBot(author),
  isMaintainer: author === "keeper",
  isAccepted: false,
  anchor: `c-${body.length}`,
  at: "2024-05-02T10:00:00Z",
  body,
  ...change,
});

const asked = (comments: Comment[], change: Partial<AskedQuestion> = {}) =>
  writeQuestion({
    title: "Why does it stop?",
    author: "asker",
    body: "It stops after an hour.",
    askedAt: "2024-05-01T10:00:00Z",
    closedAt: "2024-05-03T10:00:00Z",
    labels: ["question"],
    comments,
    referenceTo: (number) => `https://git.example.com/a/b/issues/${number}`,
    ...change,
  });

const markdownOf = (...given: Parameters<typeof asked>): string => {
  const page = asked(...given);
  return "noPage" in page ? `no page: ${page.noPage}` : page.markdown;
};

describe("a question", () => {
  test("is marked as one, with the day of its answer and its labels", () => {
    expect(asked([said("keeper", "Raise the limit.")])).toMatchObject({
      data: { title: "Why does it stop?", kind: "question", answered: "2024-05-03", tags: ["question"] },
      faults: [],
    });
  });

  test("has no spaces around its title, which trackers once kept", () => {
    expect(asked([said("keeper", "Raise it.")], { title: " Why?  " })).toMatchObject({
      data: { title: "Why?" },
    });
  });

  test("says where it comes from, and each answer has its place on the tracker's page", () => {
    expect(markdownOf([said("keeper", "Raise the limit.")])).toBe(
      "> From the issue tracker: asked on 2024-05-01, closed on 2024-05-03. It may be out of date.\n\n" +
        "It stops after an hour.\n\n" +
        "## Answer by a maintainer, 2024-05-02 {#c-16}\n\nRaise the limit.",
    );
  });

  test("has the accepted answer alone, where there is one", () => {
    const markdown = markdownOf([
      said("keeper", "I do not know."),
      said("other", "Set `hours`.", { isAccepted: true }),
    ]);
    expect(markdown).toContain("## Accepted answer, 2024-05-02 {#c-12}\n\nSet `hours`.");
    expect(markdown).not.toContain("I do not know");
  });

  test("has what maintainers said, in order; and what others did only where no maintainer said anything", () => {
    const others = [said("other", "Restart it."), said("asker", "That helped.")];
    expect(markdownOf([...others, said("keeper", "First."), said("keeper", "Second.")])).toMatch(
      /closed on [\s\S]*First\.[\s\S]*Second\./,
    );
    expect(markdownOf([...others, said("keeper", "First.")])).not.toContain("Restart it");
    expect(markdownOf(others)).toContain("Restart it.");
    expect(markdownOf(others)).not.toContain("That helped");
  });

  test.each([
    [[], "nobody has commented on it"],
    [[said("stale[bot]", "Closed."), said("k8s-ci-robot", "Closed.")], "only bots have commented on it"],
    [[said("asker", "I found it.")], "nobody but its asker has said anything in it"],
    [
      [
        said("other", "+1"),
        said("keeper", "👍🎉"),
        said("keeper", "/close\n/triage accepted"),
        said("x", "Same here!"),
      ],
      "nobody but its asker has said anything in it",
    ],
    [[said("other", "> It stops.\n\n:+1: @asker")], "nobody but its asker has said anything in it"],
  ])("without an answer is no page, %#", (comments, why) => {
    expect(asked(comments)).toEqual({ noPage: `has no answer: ${why}` });
  });

  test("of a maintainer, which they answered themselves, is one", () => {
    expect(markdownOf([said("keeper", "Fixed in 2.1.")], { author: "keeper" })).toContain("Fixed in 2.1.");
  });
});

test("a program is known by its name, and nobody is taken for one who is called a little like it", () => {
  const bots = ["stale[bot]", "k8s-ci-robot", "gitlab-bot", "bot", "fooBot", "codecov-commenter", "CI_bot_2"];
  expect(bots.filter((name) => !isBot(name))).toEqual([]);
  expect(["talbot", "Abbot", "botond", "stalewolf", "robotics", ""].filter(isBot)).toEqual([]);
});

describe("the words of an issue", () => {
  test("have no comments of a template, and their headings have no place", () => {
    const body = "<!-- Search first. -->\r\n### What happens ###\r\n\r\nIt stops.\n\nLog\n---\n\nNone.";
    const { sections } = readOutline(markdownOf([said("keeper", "Yes.")], { body }));
    expect(sections.map(({ anchor }) => anchor)).toEqual(["", "c-4"]);
    expect(markdownOf([said("keeper", "Yes.")], { body })).toContain(
      "\n\n**What happens**\n\nIt stops.\n\n**Log**\n\nNone.",
    );
  });

  test("link to other issues, but not in code, in links, and in colors", () => {
    const body = "See #12, `#13`, [as #14 said](https://x.example/), color #123abc, a/b#15.\n\n```\n#16\n```";
    expect(markdownOf([said("keeper", "Yes.")], { body })).toContain(
      "See [#12](https://git.example.com/a/b/issues/12), `#13`, [as #14 said](https://x.example/), color #123abc, a/b#15.\n\n```\n#16\n```",
    );
  });

  test("end a fence that was left open, so that the answer is none of its code", () => {
    const { sections } = readOutline(
      markdownOf([said("keeper", "Yes.")], { body: "Log:\n~~~~\na\n~~~\n# b" }),
    );
    expect(sections.at(-1)?.anchor).toBe("c-4");
  });

  test("are cut where there are too many, and the page says so", () => {
    const page = asked([said("keeper", "Yes.")], { body: "A line of words.\n".repeat(10_000) });
    expect("noPage" in page ? [] : page.faults).toEqual([
      "has more than 60000 characters: the rest is left out",
    ]);
    expect("noPage" in page ? "" : page.markdown.length).toBeLessThan(60_500);
  });
});

describe("what becomes a page", () => {
  const listed = (number: number, change: Partial<ListedQuestion> = {}): ListedQuestion => ({
    page: {
      id: String(number),
      address: `https://git.example.com/a/b/issues/${number}`,
      title: `Issue ${number}`,
      changedAt: "2024-05-03T10:00:00Z",
      revision: "",
    },
    author: "asker",
    labels: [],
    comments: 2,
    ...change,
  });

  test("has no spaces around its title in lists either", () => {
    const choice = createChoice("https://git.example.com/a/b/issues");
    const { page } = listed(1);
    choice.take(listed(1, { page: { ...page, title: " Why?  " } }));
    expect(choice.pages().map(({ title }) => title)).toEqual(["Why?"]);
  });

  test("is what was answered; the others are counted, with one line for each reason", () => {
    const choice = createChoice("https://git.example.com/a/b/issues");
    for (const each of [
      listed(1),
      listed(2, { comments: 0 }),
      listed(3, { labels: ["resolution::won't-fix"] }),
      listed(4, { labels: ["bug", "Duplicate"] }),
      listed(5, { author: "renovate[bot]" }),
      listed(6, { isNotDone: true }),
      listed(7, { isNotDone: true, labels: ["type: question"] }),
      listed(8, { isNotDone: true, labels: ["help wanted"] }),
      listed(9, { comments: undefined }),
      listed(1),
    ])
      choice.take(each);
    choice.leaveOut(12, "open issues");
    expect(choice.pages().map(({ id }) => id)).toEqual(["1", "7", "9"]);
    expect(choice.leftOut().map(({ detail }) => detail)).toEqual([
      "has issues that nobody has commented on: 1 left out",
      "has issues marked as a duplicate, invalid, spam, or not to be done: 2 left out",
      "has issues opened by a bot: 1 left out",
      "has issues closed without being done: 2 left out",
      "has open issues: 12 left out",
    ]);
    expect(new Set(choice.leftOut().map(({ address }) => address)).size).toBe(5);
  });

  test("stands in one group of the menu, by year, the newest first", () => {
    const pages = [listed(1), listed(2)].map(({ page }, index) => ({
      ...page,
      changedAt: `${2023 + index}-01-01`,
    }));
    const [group] = menuOfQuestions(pages);
    expect(group?.label).toBe("Questions");
    expect(group?.children.map(({ label, children }) => [label, children[0]?.label])).toEqual([
      ["2024", "Issue 2"],
      ["2023", "Issue 1"],
    ]);
  });
});
