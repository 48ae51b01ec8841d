import { describe, expect, test } from "bun:test";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const UNIT = [
  "```ini title=acme.service",
  "[Unit]",
  "Description=Acme worker",
  ...Array.from({ length: 60 }, (_, index) => `Environment=ACME_OPTION_${index}=${index * 7}`),
  "[Install]",
  "WantedBy=multi-user.target",
  "```",
].join("\n");
const SECTION = [
  "The worker runs under systemd. A unit of systemd is a file that says how the worker is started.",
  "The unit for a worker of Acme, `acme.service`:",
  UNIT,
  "Reload systemd after each change of the unit file of the worker:",
  "```sh\nsystemctl daemon-reload\n```",
].join("\n\n");

describe("a question for a whole file", () => {
  test("is answered by the whole code of the section, however sure the search is", async () => {
    for (const relevance of [1, 0.6])
      for (const question of [
        "systemd unit for the worker, whole unit please",
        "Can you show the full systemd unit file of the worker?",
        "complete example of acme.service",
      ]) {
        const text = await quotedAnswer(question, [
          passage(1, SECTION, { headings: ["Run the worker under systemd"], relevance }),
        ]);
        expect(text, question).toContain(UNIT.slice(UNIT.indexOf("\n")));
      }
  });

  test("is not one that has the words and wants no file", async () => {
    const text = await quotedAnswer(
      "How do I reload systemd after a change of the full name of the worker?",
      [passage(1, SECTION, { headings: ["Run the worker under systemd"] })],
    );
    expect(text).not.toContain("ACME_OPTION_59");
  });
});
