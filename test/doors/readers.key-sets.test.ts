import { afterAll, beforeAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { adasClaims } from "../helpers/reader-tokens.ts";

// Tokens that a site signs with a key of its own, as its address really answers.

let docent: TestDocent;
let site: ReturnType<typeof Bun.serve>;
let answer: () => Response;
let asked: string[];
let token: string;
beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "own", alg: "ES256" }] });
  answer = () => new Response(keys);
  asked = [];
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return answer();
    },
  });
  docent = await startDocent({ expectErrors: true });
  token = await new SignJWT(adasClaims("acme", Math.floor(Date.now() / 1000)))
    .setProtectedHeader({ alg: "ES256", kid: "own" })
    .sign(privateKey);
  await docent.app.parts.people.sites.set("acme", { settings: { readers: "signed-in" } });
});
afterAll(async () => {
  await docent.close();
  await site.stop(true);
});

/** Another address each time: what was read at one is kept. */
async function search(path: string): Promise<number> {
  const jwksUrl = `http://127.0.0.1:${site.port}/${path}`;
  await docent.app.parts.people.sites.set("acme", { jwksUrl });
  const reply = await fetch(`${docent.url}/v1/search/acme`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${docent.key}`,
      "x-docent-reader": token,
    },
    body: JSON.stringify({ query: "install" }),
  });
  await reply.text();
  return reply.status;
}

test("are checked with the keys at the address that the operator gave, which are read once", async () => {
  expect([await search("good"), await search("good"), asked]).toEqual([200, 200, ["/good"]]);
});

test("are refused while the address gives no keys: another status, 10 MB, no JSON, a redirect to elsewhere", async () => {
  const good = answer;
  let elsewhere = 0;
  using other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      elsewhere++;
      return good();
    },
  });
  const answers: [string, () => Response][] = [
    ["status", () => new Response("{}", { status: 500 })],
    ["large", () => new Response("x".repeat(10_000_000))],
    ["text", () => new Response("<!doctype html>")],
    ["redirect", () => Response.redirect(`http://127.0.0.1:${other.port}/keys`)],
  ];
  for (const [path, given] of answers) {
    answer = given;
    expect([path, await search(path)]).toEqual([path, 503]);
  }
  answer = good;
  expect([elsewhere, await search("again")]).toEqual([0, 200]);
});
