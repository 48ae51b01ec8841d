import { afterAll, beforeAll, expect, test } from "bun:test";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { questionV2 } from "../helpers/ui-message.ts";

const VALID = question("How do I install Acme on Linux?");

let docent: TestDocent;
let based: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  based = await startDocent({ settings: { base_path: "docent" } });
});
afterAll(async () => {
  await docent.close();
  await based.close();
});

/** RFC 9745: `@` and seconds since 1970, which have to be a day that has been. */
function expectDeprecated(reply: Response, successor: string) {
  const [, seconds] = /^@(\d{10})$/.exec(reply.headers.get("deprecation") ?? "") ?? [];
  expect(Number(seconds) * 1000).toBeLessThanOrEqual(Date.now());
  expect(reply.headers.get("link")).toBe(`<${successor}>; rel="successor-version"`);
}

test("every reply of v1 behind the guard says that it is deprecated and what follows it, errors included", async () => {
  const cases: [Response, number][] = [
    [await docent.post(VALID), 200],
    [await docent.post({}), 400],
    [await docent.post("text", { headers: { "content-type": "text/plain" } }), 415],
    [await docent.post({ ...VALID, threadId: "0123456789ABCDEFGHJKMNPQRS" }), 404],
  ];
  for (const [reply, status] of cases) {
    await reply.text();
    expect(reply.status).toBe(status);
    expectDeprecated(reply, "/v2/assistant/acme/message");
  }
});

test("a stranger is told nothing, whatever the path holds", async () => {
  for (const init of [{ key: null }, { domain: "nobody" }, { domain: 'no"body>' }]) {
    const reply = await docent.post(VALID, init);
    await reply.text();
    for (const name of ["deprecation", "link"]) expect(reply.headers.get(name)).toBeNull();
  }
});

test("the link leads to where the same key is answered, under every prefix", async () => {
  for (const { url, key } of [docent, based]) {
    for (const prefix of ["", "/discovery"]) {
      const from = `${url}${prefix}/v1/assistant/acme/message`;
      const init = { method: "POST", headers: { "content-type": "application/json", authorization: key } };
      const old = await fetch(from, { ...init, body: JSON.stringify(VALID) });
      await old.text();
      const [, link = ""] = /^<([^>]+)>/.exec(old.headers.get("link") ?? "") ?? [];
      const reply = await fetch(new URL(link, from), {
        ...init,
        body: JSON.stringify(questionV2("Install")),
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
      for (const name of ["deprecation", "link"]) expect(reply.headers.get(name)).toBeNull();
      await reply.text();
    }
  }
});

test("a page of another origin may read it", async () => {
  const reply = await docent.post(VALID, { headers: { origin: "https://anywhere.example" } });
  await reply.text();
  const exposed = reply.headers.get("access-control-expose-headers") ?? "";
  for (const name of ["deprecation", "link"]) expect(exposed).toContain(name);
});
