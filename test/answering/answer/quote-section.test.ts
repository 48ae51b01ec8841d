import { describe, expect, test } from "bun:test";
import type { NumberedPassage } from "../../../src/answering/answer/responder.ts";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage } from "../../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ";

const passage = (number: number, text: string, more: Partial<NumberedPassage> = {}) =>
  numberedPassage(number, text, { relevance: 0.6, ...more });

const SHORT = [
  "Retention is set for each site.",
  "```sh\nacme sites set --retention 90\n```",
  "## Exceptions",
  "Sites of the free plan keep their data for 30 days.",
].join("\n\n");

describe("where it is not sure which sentence answers", () => {
  test("a short section is quoted whole and in order, with one citation", async () => {
    expect(await quotedAnswer("how long does it keep my stuff, retention", [passage(1, SHORT)])).toEndWith(
      "\n\n> Retention is set for each site.\n\n```sh\nacme sites set --retention 90\n```\n\n" +
        "> **Exceptions**\n\n> Sites of the free plan keep their data for 30 days. [1]\n\n",
    );
  });

  test("of a long section the part around the piece that says most is quoted, within its heading", async () => {
    const long = [
      FILLER.repeat(8),
      "## Keep data",
      "Retention lasts 90 days.",
      "- It begins with the last visit.\n- It ends at midnight.",
      "## Weather",
      FILLER.repeat(8),
    ].join("\n\n");
    const text = await quotedAnswer("for how many days does retention keep data", [passage(1, long)]);
    expect(text).toContain("> Retention lasts 90 days.");
    expect(text).toContain("> - It ends at midnight.");
    expect(text).not.toContain("The weather was fine");
  });

  test("a list that is cut says so", async () => {
    const items = Array.from({ length: 30 }, (_, at) => `- Item ${at} is one of those that nobody reads.`);
    const text = await quotedAnswer("how long is retention of visits", [
      passage(1, [...items.slice(0, 15), "- Retention lasts 90 days.", ...items.slice(15)].join("\n")),
    ]);
    expect(text).toContain("> …\n> \n> - Item");
    expect(text).toEndWith("nobody reads.\n> \n> … [1]\n\n");
  });

  test("no quote ends with the promise of something that is not there", async () => {
    const open = [
      `Retention lasts 90 days. ${FILLER}`,
      "Run this to change retention:",
      `## Weather`,
      FILLER.repeat(12),
    ];
    const text = await quotedAnswer("how long is retention", [passage(1, open.join("\n\n"))]);
    expect(text).toContain("Retention lasts 90 days.");
    expect(text).not.toContain("Run this to change retention:");
  });

  test("markup that nothing read, and a passage that lacks words of its page, are in no quote", async () => {
    const text = await quotedAnswer("how long is retention", [
      passage(1, "Retention lasts 10 days.", { lacksWords: true }),
      passage(2, "Retention lasts 90 days.\n\n:::note\n\nIt begins with the last visit."),
    ]);
    expect(text).toContain("> Retention lasts 90 days.");
    expect(text).not.toContain(":::");
    expect(text).not.toContain("10 days");
  });

  test("a section that is far less relevant is not quoted for one sentence with the question's words", async () => {
    const text = await quotedAnswer("can people log in with their old account by Authelia", [
      passage(1, "Log in with the account that was made at first. People log in there.", { relevance: 0.2 }),
      passage(2, "Link each identity of Authelia to a user."),
    ]);
    expect(text).toContain("> Link each identity");
    expect(text).not.toContain("made at first");
  });

  test("where no sentence has much to do with the question, the section that was found first is what comes nearest", async () => {
    const text = await quotedAnswer("May I park a bicycle or a scooter beside the station for a day?", [
      passage(1, "Retention lasts 90 days.\n\nIt begins with the last visit."),
      passage(2, "Keys are made in the settings."),
    ]);
    expect(text).toBe(
      "Touched on:\n\n> Retention lasts 90 days.\n\n> It begins with the last visit. [1]\n\n",
    );
  });

  test("of a page with several short sections, the one that says most of the question is what comes nearest", async () => {
    const text = await quotedAnswer("May I park a bicycle or a scooter beside the network for a day?", [
      passage(
        1,
        `Retention lasts 90 days.\n\n${FILLER.repeat(15)}\n\n## Clock\n\nThe time comes from the network.\n\n## Keys\n\nKeys are made here.`,
      ),
    ]);
    expect(text).toContain("> The time comes from the network.");
    expect(text).not.toContain("Retention");
  });

  test("a section with a word of the story comes nearest, where it has none of the question that the story ends in", async () => {
    const story =
      "My provider puts me behind a carrier grade nat, and nothing can be opened on my router. I only want to watch from my parents' house. What is the simplest that works?";
    const text = await quotedAnswer(story, [
      passage(1, "A tunnel is an alternative behind a carrier-grade NAT.", { relevance: 0.2 }),
    ]);
    expect(text).toContain("> A tunnel is an alternative");
  });

  test("a guide to a migration gives way to a page that says how things are", async () => {
    const asked = "How long do old containers run?";
    const text = await quotedAnswer(asked, [
      passage(1, "Old containers run as before, and run no hooks.", { title: "0.38.0 Migration Guide" }),
      passage(2, "Old containers run for a minute.", { title: "Deploys" }),
    ]);
    expect(text).toContain("> Old containers run for a minute.");
    expect(text).not.toContain("no hooks");
  });
});

test("what stands below the heading with the code that is asked about is the answer", async () => {
  const page =
    "## `E12: port busy`\n\nAnother program uses the head.\n\n## `E31: checksum`\n\nThe head sits crooked. Turn it.\n\n## `E40: clock`\n\nThe time is wrong by more than five minutes.";
  const text = await quotedAnswer("for some minutes now it says E31 what is that", [
    passage(1, `${FILLER}\n\n${page}`, { relevance: 0.9 }),
  ]);
  expect(text).toContain("Quoted:\n\n**`E31: checksum`**\n\n> The head sits crooked.");
});

test("where a passage is sure to answer, the sentence that does is quoted alone", async () => {
  const text = await quotedAnswer("How long is retention?", [
    passage(1, `${FILLER.repeat(5)}Retention lasts 90 days. ${FILLER.repeat(5)}`, { relevance: 0.9 }),
  ]);
  expect(text).toBe("Quoted:\n\n> Retention lasts 90 days. [1]\n\n");
});

test("no quote begins with what leans on a sentence that is not there", async () => {
  const text = await quotedAnswer("What resets retention to 90 days?", [
    passage(1, `${FILLER.repeat(5)}\n\nExports run on Monday.\n\nThis resets retention to 90 days.`, {
      relevance: 0.9,
    }),
  ]);
  expect(text).toContain("> Exports run on Monday.\n\n> This resets retention to 90 days.");
});
