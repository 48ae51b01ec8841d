import { createSupportReader } from "../../src/answering/answer/support/support.ts";
import type { TextDelta } from "../../src/answering/answer/thinking.ts";
import { createLinkedText } from "../../src/answering/answer/write/sections.ts";
import type { Hit } from "../../src/finding/search/search.ts";

export const INSTALL = {
  number: 1,
  title: "Install",
  headings: ["Install"],
  text: "Run the installer:\n\n```sh\nacme up --port 8080\n```\n\nThen start the server with acme serve.",
  url: "https://docs.example/install#linux",
  path: "install",
  relevance: 1,
};

/** A model's answer as a reader gets it, written in pieces of this length: its citations are links, or it is linked to what supports it. */
export async function linkedAnswer(written: string, pieceLength = written.length): Promise<string> {
  const hits: Pick<Hit, "path">[] = [{ path: INSTALL.path }];
  const linked = createLinkedText(hits, {
    contact: "",
    question: "How do I install it?",
    passages: [INSTALL],
    similarities: async (pairs) => pairs.map(() => undefined),
    notCovered: "The documentation doesn't cover this.",
    language: "en",
    pace: async () => {},
    readSupport: createSupportReader(),
  });
  const told: TextDelta[] = [];
  for (let at = 0; at < written.length; at += pieceLength)
    told.push(...(await linked.write(written.slice(at, at + pieceLength), "ollama")));
  told.push(...(await linked.end("ollama")));
  return told.flatMap(({ type, text }) => (type === "text-delta" ? text : [])).join("");
}
