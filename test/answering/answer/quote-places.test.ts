import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createExtractiveResponder } from "../../../src/answering/answer/answer.ts";
import { question as asked, startDocent, type TestDocent } from "../../helpers/docent.ts";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage, responderRequest } from "../../helpers/responder-request.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** Sections so short that all of them are one passage. */
const PAGE = `# Lathe

## Oil for the spindle and its bearings

The spindle turns.

## Intervals

Oil the spindle every 90 days.

## Motor

The belt is tightened with the hexagonal key. ${"Nobody thought of anything else at all. ".repeat(6)}

## Lamp

The lamp is changed by the electrician. ${"The weather was fine on that day. ".repeat(6)}
`;
const OIL = "When do I oil the bearings of the spindle, in days?";

const folder = temporaryDirectory();
let docent: TestDocent;
beforeAll(async () => {
  writeFileSync(join(folder.path, "lathe.md"), PAGE);
  docent = await startDocent({ docs: folder.path });
});
afterAll(async () => {
  await docent.close();
  folder[Symbol.dispose]();
});

/** The parts of an answer that begin with that letter. */
const partsOf = (wire: string, code: string): unknown[] =>
  wire.split("\n").flatMap((line) => (line.startsWith(`${code}:`) ? [JSON.parse(line.slice(2))] : []));

async function answer(text: string) {
  const wire = await (await docent.post(asked(text))).text();
  return {
    wire,
    text: partsOf(wire, "0").join(""),
    sources: partsOf(wire, "h").map((source) => {
      const { url, title }: { url: string; title: string } = Object(source);
      return [title, url.replace("https://docs.acme.example", "")];
    }),
  };
}

describe("a quote of one of several sections that are one passage", () => {
  test("is cited by its own section, also where another one matches the question best", async () => {
    const { wire, text, sources } = await answer(OIL);
    expect(wire).toContain('"href":"/lathe#oil-for-the-spindle-and-its-bearings"');
    expect(text).toContain(
      "**Intervals**\n\n> Oil the spindle every 90 days. [[1]](https://docs.acme.example/lathe#intervals)",
    );
    expect(sources[0]).toEqual(["Lathe › Intervals", "/lathe#intervals"]);
  });

  test("is a source of its own beside that of another section", async () => {
    const { text, sources } = await answer("How is the belt tightened, and who changes the lamp?");
    const [, motor = "", lamp = ""] = text.split(/\*\*(?:Motor|Lamp)\*\*/);
    expect(motor).toMatch(/hexagonal key.*\[\[1\]\]\(https:\/\/docs\.acme\.example\/lathe#motor\)/s);
    expect(lamp).toMatch(/electrician.*\[\[2\]\]\(https:\/\/docs\.acme\.example\/lathe#lamp\)/s);
    expect(sources).toEqual([
      ["Lathe › Motor", "/lathe#motor"],
      ["Lathe › Lamp", "/lathe#lamp"],
    ]);
  });

  test("stands below the heading over where it begins, where it goes on into the section that answers", async () => {
    const section = numberedPassage(
      1,
      "- Turn it by hand.\n\n## Intervals\n\nOil the spindle every 90 days.",
      { headings: ["Spindle"], relevance: 0.6 },
    );
    expect(await quotedAnswer(OIL, [section])).toContain(
      "**Spindle**\n\n> - Turn it by hand.\n\n> **Intervals**",
    );
  });

  test("is cited by the section that answers also where it is shown in two parts", async () => {
    const text = "- Turn it by hand.\n\n## Intervals\n\n<hr class=thin>\n\nOil the spindle every 90 days.";
    const passages = [numberedPassage(1, text, { headings: ["Spindle"], relevance: 0.6 })];
    const responder = createExtractiveResponder();
    const request = responderRequest({ question: OIL, passages });
    const events = await Array.fromAsync(responder.respond(request, new AbortController().signal));
    const places = events.flatMap((event) => (event.type === "citation" ? [event.offset] : []));
    expect(places).toEqual([text.indexOf("## Intervals"), text.indexOf("Oil the")]);
  });
});
