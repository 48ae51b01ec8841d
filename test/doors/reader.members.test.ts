import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cookieOf, type MemberDoor, type MemberName, startMemberDoor } from "../helpers/member-door.ts";
import { hrefs, select } from "../helpers/select-html.ts";

// Members read the sites of their organizations, public or not.

let door: MemberDoor;
beforeAll(async () => {
  door = await startMemberDoor();
});
afterAll(() => door.close());

const get = (path: string, cookie?: string) =>
  fetch(`${door.url}${path}`, cookie === undefined ? {} : { headers: { cookie } });

const SITE = "/sites/acme/";
const MAY: MemberName[] = ["root", "owner", "viewer", "both"];

/** The reader's own cookie, as the first page gives it. */
async function readerCookie(name: MemberName): Promise<string> {
  return cookieOf((await get(SITE, door.cookies[name])).headers);
}

describe("a member", () => {
  for (const name of MAY)
    test(`who belongs to the organization reads its site with menu and search: ${name}`, async () => {
      const reply = await get(SITE, door.cookies[name]);
      expect(reply.status).toBe(200);
      const html = await reply.text();
      expect((await hrefs(html, ".tree a")).length).toBeGreaterThan(1);
      expect(await select(html, "form.search")).toHaveLength(1);
      // Nothing that a script would ask for: it is asked without cookies.
      expect(await select(html, "form[data-search], [data-key]")).toEqual([]);
      const results = await get(`${SITE}?q=install`, door.cookies[name]);
      expect((await hrefs(await results.text(), ".results a")).length).toBeGreaterThan(0);
    });

  test("goes on from page to page with the reader's own cookie, which links bring", async () => {
    const cookie = await readerCookie("viewer");
    const html = await (await get(SITE, cookie)).text();
    const [, next = ""] = await hrefs(html, ".tree a");
    expect(next).not.toContain("signature");
    const reply = await get(next, cookie);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("set-cookie")).toBeNull();
    expect((await get(`${SITE}?q=install`, cookie)).status).toBe(200);
  });

  test("is given that cookie for the reader's addresses alone, out of reach of scripts and of what pages embed", async () => {
    const { headers } = await get(SITE, door.cookies.viewer);
    expect(headers.get("set-cookie")).toMatch(
      /^docent_reader=docent_ses_\w{33}; Path=\/sites; HttpOnly; SameSite=Lax$/,
    );
    const [, own = ""] = (await readerCookie("viewer")).split("=");
    expect(door.cookies.viewer).toEndWith(own);
    const again = await get(SITE, `${door.cookies.viewer}; docent_reader=${own}`);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  test("of another organization sees exactly what nobody sees", async () => {
    const about = async (path: string, cookie?: string) => {
      const reply = await get(path, cookie);
      const headers = Object.fromEntries(reply.headers);
      for (const name of ["x-request-id", "date"]) delete headers[name];
      return { status: reply.status, headers, body: await reply.text() };
    };
    for (const cookie of [undefined, door.cookies.foreign, "docent_reader=docent_ses_x", "docent_session="]) {
      const nobody = await about("/sites/nobody/", cookie);
      expect(nobody.status).toBe(404);
      for (const path of [SITE, `${SITE}?q=install`, `${SITE}guide/install`])
        expect(await about(path, cookie), `${cookie} ${path}`).toEqual(nobody);
    }
  });

  test("reads no more once the session has ended", async () => {
    const session = await door.signIn("viewer");
    const reader = cookieOf((await get(SITE, session)).headers);
    expect((await get(SITE, reader)).status).toBe(200);
    const origin = new URL(door.url).origin;
    const ended = await fetch(`${door.url}/v1/session`, {
      method: "DELETE",
      headers: { cookie: session, origin, "sec-fetch-site": "same-origin" },
    });
    expect(ended.status).toBe(204);
    expect((await get(SITE, reader)).status).toBe(404);
  });

  test("opens nothing but the reader with the reader's cookie", async () => {
    const cookie = await readerCookie("root");
    for (const path of ["/v1/admin/sites", "/v1/session", "/v1/analytics/acme/feedback"])
      expect((await get(path, cookie)).status, path).toBe(401);
  });

  test("is not given what is for programs of public sites", async () => {
    for (const path of [`${SITE}llms.txt`, `${SITE}search.json?q=install`, `${SITE}guide/install.md`]) {
      const reply = await get(path, door.cookies.viewer);
      expect(reply.headers.get("content-type"), path).toBe("text/html; charset=utf-8");
      expect(reply.headers.get("access-control-allow-origin"), path).toBeNull();
    }
  });
});
