import { describe, expect, test } from "bun:test";
import { functionNamed, type GetToken, sendingToken } from "../../../src/faces/widget/reader-token.ts";

const NOW = 1_700_000_000_000;
const tokenUntil = (seconds: number, mark = "") =>
  `h${mark}.${Buffer.from(JSON.stringify({ sub: "ada", exp: NOW / 1000 + seconds })).toString("base64url")}.s`;

function open(getToken: GetToken, refused: (token: string | null) => boolean = () => false) {
  const it = { now: NOW, asked: 0, sent: [] as (string | null)[], reported: [] as unknown[] };
  const fetch = sendingToken({
    fetch: async (_, init) => {
      const token = new Headers(init.headers).get("x-docent-reader");
      it.sent.push(token);
      return new Response(null, { status: refused(token) ? 401 : 200 });
    },
    getToken: () => {
      it.asked++;
      return getToken();
    },
    now: () => it.now,
    report: (error) => it.reported.push(error),
  });
  const send = async () => (await fetch("/x", { headers: { authorization: "Bearer key" } })).status;
  return Object.assign(it, { send, fetch });
}

describe("what the widget sends of who reads", () => {
  test("is asked for when it is needed, once for all who wait, and kept until shortly before its end", async () => {
    let made = 0;
    const it = open(async () => tokenUntil(300 * ++made, String(made)));
    expect(it.asked).toBe(0);
    expect(await Promise.all([it.send(), it.send(), it.send()])).toEqual([200, 200, 200]);
    it.now += 289_000;
    await it.send();
    expect(it.asked).toBe(1);
    it.now += 1000;
    await it.send();
    expect(it.asked).toBe(2);
    expect(it.sent).toEqual([...Array(4).fill(tokenUntil(300, "1")), tokenUntil(600, "2")]);
  });

  test("is asked for once more when it is refused, and no more often", async () => {
    const tokens = [tokenUntil(300, "old"), tokenUntil(300, "new")];
    const it = open(
      () => tokens[Math.min(it.asked, 2) - 1],
      (token) => token === tokens[0],
    );
    expect(await it.send()).toBe(200);
    expect(it.sent).toEqual(tokens);
    const refused = open(
      () => tokenUntil(300, String(refused.asked)),
      () => true,
    );
    expect(await refused.send()).toBe(401);
    expect([refused.asked, refused.sent.length]).toEqual([2, 2]);
    const same = open(
      () => tokenUntil(300),
      () => true,
    );
    expect(await same.send()).toBe(401);
    expect(same.sent.length).toBe(1);
  });

  test.each([null, undefined, ""])("is nothing where nobody has signed in: %j", async (none) => {
    const it = open(() => none);
    expect(await it.send()).toBe(200);
    expect(it.sent).toEqual([null]);
  });

  test("is nothing where the page's function fails, which is reported", async () => {
    const it = open(() => Promise.reject(new Error("away")));
    expect(await it.send()).toBe(200);
    expect([it.sent, it.reported.length]).toEqual([[null], 1]);
  });

  test.each(["no token", "a.b.c", `h.${btoa("[1]")}.s`, `h.${btoa('{"exp":"soon"}')}.s`])(
    "a token that does not say when it ends is kept for a minute: %s",
    async (token) => {
      const it = open(() => token);
      await it.send();
      it.now += 59_999;
      await it.send();
      expect(it.asked).toBe(1);
      it.now += 1;
      await it.send();
      expect(it.asked).toBe(2);
    },
  );

  test("the page's function is found by its name, when it is needed, and called as a part of what it belongs to", async () => {
    const root: Record<string, unknown> = {};
    const late = functionNamed("shop.readers.token", root);
    expect(late).toThrow("there is no function shop.readers.token");
    const readers = {
      own: "a token",
      token(this: { own: string }) {
        return this.own;
      },
    };
    root["shop"] = { readers };
    expect(late()).toBe("a token");
  });
});
