import { describe, expect, test } from "bun:test";
import { withoutMentions } from "../../../src/doors/chat/mentions.ts";
import { fitted, messageOf } from "../../../src/doors/chat/message.ts";
import { rocketchat } from "../../../src/doors/chat/rocketchat.ts";
import { slack, toSlackMarks } from "../../../src/doors/chat/slack.ts";
import { SLACK_EXAMPLE, SLACK_SECRET } from "./posts.ts";

test("the signature that Slack publishes as its example is good at its time, and at no other", () => {
  const headers = new Headers({
    "x-slack-request-timestamp": SLACK_EXAMPLE.timestamp,
    "x-slack-signature": SLACK_EXAMPLE.signature,
  });
  const at = (nowMs: number) => slack.isFrom({ headers, text: SLACK_EXAMPLE.body, nowMs }, SLACK_SECRET);
  expect([1531420618_000, 1531420918_000, 1531420919_000, 1531420317_000].map(at)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe("Slack's marks", () => {
  const MARKS: [what: string, markdown: string, marks: string][] = [
    ["bold, italic and struck words", "**b** _i_ ~~s~~ `c`", "*b* _i_ ~s~ `c`"],
    ["headings", "## A *heading*\n\nText", "*A _heading_*\n\nText"],
    ["links", "[a & b](https://x.example/?a=1&b=2)", "<https://x.example/?a=1&amp;b=2|a &amp; b>"],
    ["links that would be two", "[x](https://x.example/a|b)", "<https://x.example/a%7Cb|x>"],
    ["what is no address of the web", "[x](javascript:alert) [y](/here)", "x y"],
    ["pictures", "![a plan](https://x.example/p.png)", "<https://x.example/p.png|a plan>"],
    ["lists", "- a\n  - b\n- c\n\n3. d\n4. e", "• a\n    • b\n• c\n\n3. d\n4. e"],
    ["code", "```sh\na <b> & c\n```", "```\na &lt;b&gt; &amp; c\n```"],
    ["tables", "| a | b |\n|---|---|\n| 1 | 2 |", "*a* | *b*\n1 | 2"],
    ["quotes", "> one\n> two", "> one\n> two"],
    ["HTML", "<div>\n<!channel>\n</div>", "&lt;div&gt;\n&lt;!channel&gt;\n&lt;/div&gt;"],
  ];
  for (const [what, markdown, marks] of MARKS)
    test(what, () => {
      expect(toSlackMarks(markdown)).toBe(marks);
    });

  test("never hold an angle bracket that is not a link's, whatever is written", () => {
    const hostile = [
      "<!channel>",
      "&lt;!here>",
      "[<!channel>](https://x.example)",
      "\\<!everyone>",
      "`<@U1>`",
    ];
    const more = [
      "[x](<https://x.example/><!here>)",
      "<https://x.example|<!here>>",
      "```\n```<!here>\n```",
      "<!-- <!here> -->",
    ];
    for (const markdown of [...hostile, ...more, [...hostile, ...more].join("\n\n")])
      expect(toSlackMarks(markdown).replace(/<https?:[^<>|]*\|[^<>]*>/g, "")).not.toMatch(/[<]/);
  });
});

describe("mentions", () => {
  const plain = (text: string) => text.replaceAll("\u200b", "·");
  test("are parted from their @, also in a link's words, but for addresses and code", () => {
    const written = "@all, (@ada) [@here](https://x.example/@all) me@x.example `@types/node` `@all`";
    expect(plain(withoutMentions(written))).toBe(
      "@·all, (@·ada) [@·here](https://x.example/@all) me@x.example `@types/node` `@·all`",
    );
    expect(plain(withoutMentions("```\n@channel @scope/x\n```\n@scope"))).toBe(
      "```\n@·channel @scope/x\n```\n@·scope",
    );
  });
});

describe("a message", () => {
  const source = (at: number) => ({
    id: `${at}`,
    title: `Page [${at}] *x*`,
    url: `https://x.example/(${at})`,
  });
  const answer = { text: "", sources: [], isFailed: false };
  const asked = { question: "How?", sight: "channel" as const, sourcesPhrase: "Sources:" };

  test("has each source once, with brackets that end no link", () => {
    const text = messageOf(rocketchat, { ...answer, text: "So.", sources: [source(1), source(1)] }, asked);
    expect(text).toBe("So.\n\nSources:\n\n- [Page \\[1\\] \\*x\\*](https://x.example/%281%29)");
  });

  test("is never longer than the chat takes, and what is left out are whole blocks", () => {
    const text = Array.from({ length: 400 }, (_, at) => `Paragraph ${at} of the answer.`).join("\n\n");
    const sources = Array.from({ length: 30 }, (_, at) => source(at));
    const whole = messageOf(rocketchat, { ...answer, text, sources }, asked);
    expect(whole.length).toBeLessThanOrEqual(5000);
    expect(whole).toContain("of the answer.\n\n…\n\nSources:");
    expect(whole.match(/^- \[/gm)).toHaveLength(8);
  });

  test("ends within a block that alone is too long, and never within code that has something before it", () => {
    expect(fitted("word ".repeat(100), 50, (text) => text)).toMatch(/^(?:word )+…$/);
    const code = fitted(`A\n\n\`\`\`\n${"x\n\n".repeat(100)}\`\`\`\n\nB`, 60, (text) => text);
    expect(code).toBe("A\n\n…");
  });
});
