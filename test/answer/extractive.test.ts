import { describe, expect, test } from "bun:test";
import { createExtractiveResponder } from "../../src/answer/quoting.ts";
import type { NumberedPassage, ResponderEvent, ResponderRequest } from "../../src/answer/responder.ts";

const passage = (number: number, text: string, more: Partial<NumberedPassage> = {}): NumberedPassage => ({
  number,
  text,
  title: "Page",
  headings: [],
  url: `https://docs.example/${number}`,
  relevance: 1,
  ...more,
});

const request = (question: string, passages: NumberedPassage[]): ResponderRequest => ({
  question,
  passages,
  asker: { siteId: 1, reader: "reader" },
  instructions: "",
  notCovered: "The documentation doesn't cover this.",
  siteName: "Acme",
  language: "en",
  quoting: "Quoted:",
  history: [],
  contexts: [],
  images: [],
});

async function answer(question: string, passages: NumberedPassage[]): Promise<string> {
  const { signal } = new AbortController();
  return textOf(
    await Array.fromAsync(createExtractiveResponder().respond(request(question, passages), signal)),
  );
}

const textOf = (events: ResponderEvent[]) =>
  events
    .map((event) => {
      if (event.type === "citation") return `[${event.number}]`;
      return event.type === "text-delta" || event.type === "quote-delta" ? event.text : "";
    })
    .join("");

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(5);

describe("an answer by quoting", () => {
  test("says that it quotes, and cites each quote", async () => {
    expect(await answer("How long is retention?", [passage(1, "Retention lasts 90 days.")])).toBe(
      "Quoted:\n\n> Retention lasts 90 days. [1]\n",
    );
  });

  test("of a long paragraph quotes the sentences that answer", async () => {
    const text = await answer("How long is retention?", [
      passage(1, `${FILLER}Retention lasts 90 days. ${FILLER}`),
    ]);
    expect(text).toContain("Retention lasts 90 days.");
    expect(text).not.toContain("weather");
  });

  test("keeps code whole, with the sentence before it, and cites it beside and not in it", async () => {
    const code = "```sh\nacme install --prefix /opt\n```";
    const text = await answer("How do I install Acme?", [passage(1, `To install Acme, run:\n\n${code}`)]);
    expect(text).toContain(`> To install Acme, run: [1]\n\n${code}\n\n[1]`);
  });

  test("keeps a code span whole that goes on in the next line", async () => {
    const text = await answer("How is retention set?", [
      passage(1, "Retention is set by `docent sites set\n--retention 90`.\nIt is in days."),
    ]);
    expect(text).toContain("> Retention is set by `docent sites set --retention 90`.\n> It is in days. [1]");
  });

  test("quotes what a callout says, without its mark", async () => {
    const text = "> [!WARNING]\n> Retention needs room.\n\n> [!TIP] Retention\n> Set it early.\n\n> [!NOTE]";
    expect(await answer("What of retention?", [passage(1, text)])).toBe(
      "Quoted:\n\n> > Retention needs room. [1]\n\n> > Retention\n> > Set it early. [1]\n",
    );
  });

  test("takes no index in the docs for a citation", async () => {
    const passages = [passage(1, "Retention waits `delays[2]`, then delays[2] more.")];
    const events = createExtractiveResponder().respond(
      request("What is retention?", passages),
      new AbortController().signal,
    );
    const said = await Array.fromAsync(events);
    expect(said.filter(({ type }) => type === "citation")).toEqual([{ type: "citation", number: 1 }]);
    const own = said.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    expect(own.join("")).not.toContain("delays");
  });

  test("of a long list quotes the items that answer", async () => {
    const items = Array.from({ length: 30 }, (_, index) => `- option ${index} does thing number ${index}`);
    items[17] = "- `--retention` sets how long files are kept";
    const text = await answer("How do I set retention?", [passage(1, items.join("\n"))]);
    expect(text).toBe("Quoted:\n\n> - `--retention` sets how long files are kept [1]\n");
  });

  test("of a long table quotes the rows that answer, under their header, and cites behind it", async () => {
    const rows = Array.from(
      { length: 30 },
      (_, index) => `| \`code_${index}\` | ${300 + index} | something |`,
    );
    const table = [
      "| Code | Status | when |",
      "| --- | --- | --- |",
      ...rows,
      "| `rate_limited` | 429 | over a limit |",
    ];
    expect(await answer("What is 429?", [passage(1, table.join("\n"))])).toBe(
      "Quoted:\n\n> | Code | Status | when |\n> | --- | --- | --- |\n> | `rate_limited` | 429 | over a limit |\n\n[1]\n",
    );
  });

  test("leaves out what is much weaker than the best", async () => {
    const text = await answer("How do I rotate the signing key?", [
      passage(1, "Rotate the signing key with `acme rotate`."),
      passage(2, "A key is a thing that opens doors.", { relevance: 0.3 }),
    ]);
    expect(text).toContain("acme rotate");
    expect(text).not.toContain("doors");
  });

  test("in a language that the runtime does not know still cuts sentences", async () => {
    const request = { question: "retention", passages: [passage(1, `${FILLER}Retention lasts 90 days.`)] };
    const events = createExtractiveResponder().respond(
      {
        ...request,
        asker: { siteId: 1, reader: "reader" },
        instructions: "",
        notCovered: "The documentation doesn't cover this.",
        siteName: "A",
        language: "not a language",
        quoting: "",
        history: [],
        contexts: [],
        images: [],
      },
      new AbortController().signal,
    );
    expect(textOf(await Array.fromAsync(events))).toContain("90 days");
  });
});
