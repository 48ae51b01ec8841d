import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { question } from "../helpers/docent.ts";
import { PROXIES, type ProxyKind, SITE } from "./configurations.ts";
import { ALL_IN_TIME, type GatedDocent, post, startGatedDocent, type Wire } from "./gated-answer.ts";
import { findProxy, freePort, type RunningProxy, startProxy } from "./programs.ts";

// What real proxies do to an answer, as docs/operations.md configures them and with compression on.

const WIRES: Wire[] = ["v1", "v2", "openai"];
/** Just below what Docent takes. */
const LONG = "x".repeat(4_900_000);

let gated: GatedDocent;
beforeAll(async () => {
  gated = await startGatedDocent();
});
afterAll(() => gated.close());

test.each(WIRES)("without a proxy, %s brings each sentence before the model says the next", async (wire) => {
  const answer = await gated.ask(gated.docent.url, wire);
  expect([answer.status, answer.encoding, answer.seenInTime]).toEqual([200, "identity", ALL_IN_TIME]);
});

for (const proxy of PROXIES) {
  const program = findProxy(proxy.name, proxy.places);
  if (program === undefined) test.skip(`behind ${proxy.name} (skipped: no ${proxy.name} here)`, () => {});
  else describe(`behind ${program}`, () => testProxy(proxy, program));
}

function testProxy(proxy: ProxyKind, program: string): void {
  describe.each(["documented", "compressing"] as const)("with the configuration %s", (kind) => {
    let running: RunningProxy;
    let url = "";
    beforeAll(async () => {
      const port = freePort();
      url = `http://127.0.0.1:${port}/docent`;
      running = await startProxy(program, proxy[kind](port, gated.upstream), () => answersAt(url));
    });
    afterAll(() => running?.close());

    test.each(WIRES)("%s brings each sentence before the model says the next", async (wire) => {
      const answer = await gated.ask(url, wire);
      expect([answer.status, answer.seenInTime]).toEqual([200, ALL_IN_TIME]);
      expect(answer.text).toContain("That is all");
    });

    if (kind === "documented")
      test("a long conversation is taken, and its reader's address is believed", async () => {
        const reply = await post(`${url}/v1/assistant/acme/message`, gated.docent.key, longConversation());
        expect(reply.statusCode).toBe(200);
        for await (const _ of reply);
        expect(gated.docent.logged.join("")).not.toContain("forwarded header");
      });
  });
}

const longConversation = () => JSON.stringify(question("How do I install Acme?", { data: { pages: LONG } }));

/** Says whether Docent is reached under an address. */
async function answersAt(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/live`, { headers: { host: SITE } })).ok;
  } catch {
    return false;
  }
}
