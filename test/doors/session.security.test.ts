import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startDocent } from "../helpers/docent.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { cookieOf, type MemberDoor, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";

const HOUR_MS = 3_600_000;
const { clock, advance } = fakeClock();

let door: MemberDoor;
beforeAll(async () => {
  door = await startMemberDoor({ docs: null, clock });
});
afterAll(() => door.close());

type Request = [method: string, path: string, body?: unknown];
/** What reads, what writes, and what signs in. None would change anything if it were let through. */
const READS: Request[] = [
  ["GET", "/v1/session"],
  ["GET", "/v1/session/sessions"],
  ["GET", "/v1/admin/sites"],
  ["GET", "/v1/admin/members"],
  ["GET", "/v1/analytics/acme/gaps"],
];
const WRITES: Request[] = [
  ["PATCH", "/v1/admin/sites/acme", { settings: { contact: "not an address" } }],
  ["POST", "/v1/admin/members", { name: "" }],
  ["DELETE", "/v1/admin/members/none"],
  ["POST", "/v1/analytics/acme/gaps/none", { state: "open" }],
  ["PUT", "/v1/session/password", { current: "x", password: "short" }],
  ["DELETE", "/v1/session/sessions/none"],
];
const SIGN_INS: Request[] = [
  ["POST", "/v1/session", { name: "owner" }],
  ["POST", "/v1/session/link", { link: 7 }],
  ["PUT", "/v1/session/link", { link: "x" }],
];

async function refused(requests: Request[], headers: Record<string, string | null>) {
  const replies = await Promise.all(
    requests.map(([method, path, body]) => door.send(method, path, { as: "root", body, headers })),
  );
  return replies.map(({ status }) => status === 403);
}
const all = (requests: Request[], is: boolean) => requests.map(() => is);

describe("requests that a page of elsewhere makes a browser send", () => {
  test.each([
    ["a foreign origin", { origin: "https://evil.example" }],
    ["no origin that can be told", { origin: "null" }],
    ["our host on another port", { origin: "http://127.0.0.1:1" }],
    ["a name that begins with ours", { origin: "http://127.0.0.1.evil.example" }],
    ["a foreign site, as the browser says", { "sec-fetch-site": "cross-site" }],
    ["a neighbour of our host, as the browser says", { "sec-fetch-site": "same-site" }],
    ["both", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["a foreign site without an origin", { origin: null, "sec-fetch-site": "cross-site" }],
  ])("are refused, whatever they ask: %s", async (_, headers) => {
    for (const requests of [READS, WRITES, SIGN_INS])
      expect(await refused(requests, headers)).toEqual(all(requests, true));
  });

  test.each([
    ["without an origin", { origin: null }],
    ["from the address bar, as no write can be", { origin: null, "sec-fetch-site": "none" }],
  ])("a write is refused %s; a read is not, nor is a program that signs in", async (_, headers) => {
    expect(await refused(WRITES, headers)).toEqual(all(WRITES, true));
    for (const requests of [READS, SIGN_INS])
      expect(await refused(requests, headers)).toEqual(all(requests, false));
  });

  test.each([
    ["our own origin", {}],
    ["our own origin, which the browser confirms", { "sec-fetch-site": "same-origin" }],
    ["no origin, but the browser says that it is ours", { origin: null, "sec-fetch-site": "same-origin" }],
  ])("are taken with %s", async (_, headers) => {
    for (const requests of [READS, WRITES, SIGN_INS])
      expect(await refused(requests, headers)).toEqual(all(requests, false));
  });

  test("a key that is sent on purpose needs no origin, and comes before the cookie", async () => {
    const asKey = (key: string) => ({ origin: null, authorization: `Bearer ${key}` });
    const [method, path, body] = WRITES[0] ?? ["", ""];
    const send = (key: string) => door.send(method, path, { as: "root", body, headers: asKey(key) });
    expect((await send(door.keys.own)).status).toBe(400);
    expect((await send(door.keys.ownRead)).status).toBe(403);
    expect((await send("docent_adm_unknown")).status).toBe(401);
    expect((await send("")).status).toBe(401);
  });

  test("another host name is refused, and no page of elsewhere is given leave to read", async () => {
    const elsewhere = await door.send("GET", "/v1/session", {
      as: "root",
      headers: { host: "evil.example" },
    });
    expect(elsewhere.status).toBe(403);
    const preflight = await door.send("OPTIONS", "/v1/session", {
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("a form cannot sign anybody in", async () => {
    const headers = { "content-type": "text/plain" };
    const body = JSON.stringify({ name: "owner", password: PASSWORD });
    expect((await door.send("POST", "/v1/session", { body, headers })).status).toBe(415);
  });
});

describe("the cookie", () => {
  const flagsAt = async (settings: Record<string, string>, base = "") => {
    const docent = await startDocent({ docs: null, settings });
    try {
      const link = (await docent.app.parts.people.members.firstLink())?.text;
      const reply = await fetch(`${docent.url}/v1/session/link`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ link, name: "Ada", password: PASSWORD }),
      });
      const cookie = cookieOf(reply.headers);
      const read = await fetch(`${docent.url}/v1/session`, { headers: { cookie } });
      expect([docent.url.endsWith(base), read.status]).toEqual([true, 200]);
      return reply.headers
        .getSetCookie()
        .map((each) => each.replace(/=docent_ses_\w{33};|=\w{26}\.\d{13}\.[\w-]{43};/, "=…;"));
    } finally {
      await docent.close();
    }
  };

  const COOKIES: [settings: Record<string, string>, session: string, device: string][] = [
    [
      {},
      "docent_session=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict",
      "docent_device=…; Max-Age=31536000; Path=/v1/session; HttpOnly; SameSite=Strict",
    ],
    [
      { public_url: "https://docent.example.com" },
      "__Host-docent_session=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict; Secure",
      "__Secure-docent_device=…; Max-Age=31536000; Path=/v1/session; HttpOnly; SameSite=Strict; Secure",
    ],
    [
      { public_url: "https://docs.example.com/docent", base_path: "/docent", session_seconds: "600" },
      "__Secure-docent_session=…; Max-Age=600; Path=/docent; HttpOnly; SameSite=Strict; Secure",
      "__Secure-docent_device=…; Max-Age=31536000; Path=/docent/v1/session; HttpOnly; SameSite=Strict; Secure",
    ],
  ];
  test.each(COOKIES)("no script reads it, no other site sends it: %j", async (settings, session, device) => {
    expect(await flagsAt(settings, settings["base_path"] ?? "")).toEqual([session, device]);
  });

  test("signing in begins another session, and ends the one that the browser had: none is ever taken over", async () => {
    const planted = await door.signIn("viewer");
    const reply = await door.send("POST", "/v1/session", {
      headers: { cookie: planted },
      body: { name: "owner", password: PASSWORD },
    });
    const own = cookieOf(reply.headers);
    expect(own).not.toBe(planted);
    const who = async (cookie: string) =>
      (await door.send("GET", "/v1/session", { headers: { cookie } })).status;
    expect([await who(planted), await who(own)]).toEqual([401, 200]);
    const made = "docent_session=docent_ses_abcdefghijkmnopqrstuvwxyz12345678";
    const fixed = await door.send("POST", "/v1/session", {
      headers: { cookie: made },
      body: { name: "owner", password: PASSWORD },
    });
    expect([await who(made), cookieOf(fixed.headers) === made]).toEqual([401, false]);
  });

  test("a sign-in that fails leaves the session that there was", async () => {
    const cookie = await door.signIn("viewer");
    await door.send("POST", "/v1/session", {
      headers: { cookie },
      body: { name: "viewer", password: "wrong" },
    });
    expect((await door.send("GET", "/v1/session", { headers: { cookie } })).status).toBe(200);
  });

  test.each([
    "docent_session=",
    "docent_session",
    "docent_session=docent_ses_",
    "docent_session=%00",
    `docent_session=${"x".repeat(4000)}`,
    "xdocent_session=docent_ses_abcdefghijkmnopqrstuvwxyz12345678",
    ";;=;",
  ])("what is none opens nothing: %p", async (cookie) => {
    expect((await door.send("GET", "/v1/admin/sites", { headers: { cookie } })).status).toBe(401);
    expect((await door.send("GET", "/v1/session", { headers: { cookie } })).status).toBe(401);
  });

  test("among others it is found, and a session is no key", async () => {
    const cookie = `a=b; ${door.cookies.owner}; c=d`;
    expect((await door.send("GET", "/v1/admin/sites", { headers: { cookie } })).status).toBe(200);
    const authorization = `Bearer ${door.cookies.owner.split("=")[1]}`;
    expect((await door.send("GET", "/v1/admin/sites", { headers: { authorization } })).status).toBe(401);
  });

  test("no reply that concerns it is kept by a cache", async () => {
    for (const [method, path, body] of [...READS, ...WRITES, ...SIGN_INS]) {
      const { headers } = await door.send(method, path, { as: "root", body });
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
  });
});

describe("attempts", () => {
  const tries = (name: string, password: string, headers: Record<string, string> = {}) =>
    door.send("POST", "/v1/session", { body: { name, password }, headers });

  test("too many under one name have to wait, with a right password as with a wrong one", async () => {
    advance(2 * HOUR_MS);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) statuses.push((await tries("Foreign", "wrong")).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    const [right, wrong] = [await tries(" FOREIGN ", PASSWORD), await tries("foreign", "wrong")];
    const plain = ({ status, text, headers }: typeof right) => [
      status,
      text.replace(/"requestId":"\w+"/, ""),
      headers.get("retry-after"),
      headers.get("set-cookie"),
    ];
    expect(plain(right)).toEqual(plain(wrong));
    expect(right.status).toBe(429);
    const wait = Number(right.headers.get("retry-after"));
    expect(wait).toBeWithin(1, 4);
    expect((await tries("viewer", PASSWORD)).status).toBe(200);
    // Whoever is signed in stays so: nobody can be locked out of what they are doing.
    expect((await door.send("GET", "/v1/session", { as: "foreign" })).status).toBe(200);
    advance(wait * 1000);
    expect((await tries("foreign", PASSWORD)).status).toBe(200);
  });

  test("keep nobody from a browser in which they signed in before, nor from changing their password", async () => {
    advance(2 * HOUR_MS);
    const before = await tries("owner", PASSWORD);
    const cookies = before.headers.getSetCookie();
    const device = cookies.find((each) => each.startsWith("docent_device=")) ?? "";
    expect(device).toEndWith("; Path=/v1/session; HttpOnly; SameSite=Strict");
    expect(device).not.toMatch(/owner/i);
    for (let attempt = 0; attempt < 12; attempt++) await tries("owner", "wrong");
    expect((await tries("owner", PASSWORD)).status).toBe(429);
    const cookie = device.split(";", 1)[0] ?? "";
    expect((await tries("owner", PASSWORD, { cookie })).status).toBe(200);
    expect((await tries("owner", "wrong", { cookie })).status).toBe(401);
    const changed = await door.send("PUT", "/v1/session/password", {
      body: { current: PASSWORD, password: PASSWORD },
      headers: { cookie: cookieOf(before.headers) },
    });
    expect(changed.status).toBe(204);
    door.cookies.owner = cookieOf(changed.headers);
  });

  test("a lost password can be chosen anew while the name has to wait", async () => {
    advance(2 * HOUR_MS);
    for (let attempt = 0; attempt < 11; attempt++) await tries("both", "wrong");
    expect((await tries("both", PASSWORD)).status).toBe(429);
    const { text } = await door.app.parts.people.members.link(door.ids.both);
    const reply = await door.send("PUT", "/v1/session/link", { body: { link: text, password: PASSWORD } });
    expect(reply.status).toBe(200);
  });

  test("a link that works is never refused, however many from its address did not", async () => {
    advance(2 * HOUR_MS);
    const look = (link: string) => door.send("POST", "/v1/session/link", { body: { link } });
    for (let attempt = 0; attempt < 120; attempt++) expect((await look(`no-${attempt}`)).status).toBe(404);
    expect((await look("one more")).status).toBe(429);
    const { text } = await door.app.parts.people.members.link(door.ids.both);
    expect((await look(text)).status).toBe(200);
    const body = { link: text, password: PASSWORD };
    expect((await door.send("PUT", "/v1/session/link", { body })).status).toBe(200);
    expect((await tries("owner", PASSWORD, { "x-forwarded-for": "192.0.2.1" })).status).toBe(200);
  });
});

describe("what is told", () => {
  test("a session that was not used, or is old, is signed out; the reply says what to do", async () => {
    const cookie = await door.signIn("owner");
    advance(7 * 24 * HOUR_MS);
    const { status, json } = await door.send("GET", "/v1/admin/sites", { headers: { cookie } });
    expect([status, json["message"]]).toEqual([401, "You are signed out. Please sign in again."]);
  });

  test("nothing that was logged holds a password, a link or a session", async () => {
    const link = (await door.app.parts.people.members.link(door.ids.viewer)).text;
    const cookie = await door.signIn("root");
    await door.send("POST", "/v1/session/link", { body: { link } });
    const logged = door.logged.join("");
    for (const secret of [PASSWORD, link, cookie.split("=")[1] ?? ""]) expect(logged).not.toContain(secret);
  });
});
