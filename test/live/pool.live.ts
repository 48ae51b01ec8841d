import { describe, expect, test } from "bun:test";
import { partsOf, question } from "../helpers/docent.ts";
import type { RealOllama } from "../helpers/real-ollama.ts";
import { until } from "../helpers/real-ollama-chat.ts";
import {
  ask,
  createStage,
  hasLogged,
  INSTALL,
  INSTALL_OTHER,
  lastTurn,
  readUntil,
  turnsOf,
} from "../helpers/real-ollama-docent.ts";
import { realOllama } from "../helpers/real-ollama-here.ts";
import { askV2, chunksOfType, questionV2, textOfChunks } from "../helpers/ui-message.ts";
import { never } from "../models/ollama/helpers.ts";

const stage = createStage();
const BROKE_OFF = {
  code: "3",
  value: "The answer broke off because of a problem on the server. Please try again.",
};

/** Two servers, neither of which has the model in memory, and a Docent that shares the questions among them. */
async function startTwo(settings: Record<string, string> = {}) {
  const servers = await Promise.all([stage.ollama(), stage.ollama()]);
  const urls = servers.map(({ url }) => url).join(",");
  const docent = await stage.docent(urls, { ollama_urls: urls, connect_seconds: "3", ...settings });
  return { servers, docent };
}

const isAsked = ({ runners }: RealOllama) => runners().length > 0;

/** The one of two that writes, or loads the model to write, and the other. */
function tellApart([one, two]: RealOllama[]) {
  if (one === undefined || two === undefined) throw new Error("there are no two servers");
  return isAsked(one) ? { asked: one, spare: two } : { asked: two, spare: one };
}

describe("one of two servers dies", () => {
  test("before its first word: the other answers, and the reader does not notice", async () => {
    const { servers, docent } = await startTwo();
    const asking = ask(docent);
    await until(() => servers.some(isAsked));
    const { asked, spare } = tellApart(servers);
    await asked.kill();
    const { parts, text } = await asking;
    expect([parts.at(-1)?.code, text === ""]).toEqual(["d", false]);
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama", model: "smollm2:latest", answer: text });
    expect(isAsked(spare)).toBe(true);
    expect(hasLogged(docent, "a question is moved to another Ollama server")).toBe(true);
  });

  test("in mid-answer: its reader is told, the other takes over, and it is used again when it is back", async () => {
    const { servers, docent } = await startTwo();
    let killed = tellApart(servers);
    const wire = await readUntil(await docent.post(question(INSTALL)), '0:"', async () => {
      killed = tellApart(servers);
      await killed.asked.kill();
    });
    expect(partsOf(wire).at(-1)).toEqual(BROKE_OFF);
    expect(lastTurn(docent)).toMatchObject({ outcome: "failed", responder: "ollama" });
    expect(isAsked(killed.spare)).toBe(false);

    await ask(docent, question(INSTALL_OTHER));
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
    expect(isAsked(killed.spare)).toBe(true);

    const back = await stage.ollama({ OLLAMA_HOST: new URL(killed.asked.url).host });
    await until(async () => {
      // Whoever asks whether a question would be taken gives the occasion to try those that rest.
      await docent.app.parts.answers.ollama.responder.ready(never);
      return hasLogged(docent, "an Ollama server is used again");
    });
    expect(isAsked(back)).toBe(true);
    await killed.spare.kill();
    await ask(docent, question(INSTALL_OTHER));
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
  });
});

describe("four readers and one place", () => {
  test("each is told the place in the line, which only ever gets better, and each gets a whole answer", async () => {
    const docent = await stage.docent(realOllama().url, { answer_tokens: "16" });
    const asked = [INSTALL, INSTALL_OTHER, "What is Acme?", "How do I configure Acme?"];
    const replies = await Promise.all(
      asked.map((text, index) => askV2(docent, questionV2(text, { fp: `reader-${index}` }))),
    );
    const places = replies.map(({ chunks }) =>
      chunksOfType(chunks, "data-status").map(({ data }) => data.position),
    );
    expect(places.map(([first = 0]) => first).sort()).toEqual([0, 1, 2, 3]);
    for (const own of places.filter(({ length }) => length > 0)) {
      expect(own).toEqual([...new Set(own)].sort().reverse());
      expect(own.at(-1)).toBe(1);
    }
    for (const { chunks } of replies)
      expect([chunks.at(-1)?.type, textOfChunks(chunks) === ""]).toEqual(["finish", false]);
    expect(turnsOf(docent).map(({ responder }) => responder)).toEqual(Array(4).fill("ollama"));
  });
});
