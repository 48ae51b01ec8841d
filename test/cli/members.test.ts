import { afterAll, beforeAll, expect, test } from "bun:test";
import { cookieOf } from "../helpers/member-door.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

const PASSWORD = "correct horse battery";
let place: Workplace;
beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.dispose());

const linkIn = (text: string) => /\/sign-in#link=([1-9A-HJ-NP-Za-km-z]{33})\s/.exec(text)?.[1] ?? "";

/** Chooses a password as a page of the server would. */
function choose(url: string, link: string, name?: string): Promise<Response> {
  return fetch(`${url}/v1/session/link`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ link, password: PASSWORD, ...(name === undefined ? {} : { name }) }),
  });
}

test("from the first start to a member who is removed, beside a running server", async () => {
  const first = await place.serve();
  const unused = linkIn(first.err());
  expect(first.err()).toContain(`Dashboard     ${first.url}/sign-in#link=${unused}`);
  first.child.kill("SIGTERM");
  await first.child.exited;

  const server = await place.serve("--metrics", "on", "--metrics-address", "127.0.0.1:0");
  const { url, err } = server;
  const link = linkIn(err());
  expect(err()).toMatch(/ {2}Metrics {7}http:\/\/127\.0\.0\.1:\d+\/metrics\n/);
  expect((await choose(url, unused, "Eve")).status).toBe(404);
  expect((await choose(url, link, "Ada")).status).toBe(200);

  const invited = await place.run("members", "invite", "Grace", "--role", "owner", "--public-url", url);
  expect(invited.code, invited.err).toBe(0);
  expect(invited.err).toMatch(
    /^Hand it over safely: it works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
  );
  const signedIn = await choose(url, linkIn(invited.out));
  const cookie = cookieOf(signedIn.headers);
  const lost = await place.run("members", "link", "grace", "--json");
  expect(JSON.parse(lost.out)).toEqual({ link: expect.any(String), expiresAt: expect.any(String) });
  const refused = await place.run("members", "remove", "Ada");
  expect([refused.code, refused.err]).toEqual([
    1,
    "docent: This is the only owner of the server who can sign in. Name another one first.\n",
  ]);

  const listed = await place.run("members", "list");
  expect(listed.out).toMatch(/^Ada +owner of the server +active +\d{4}-\d\d-\d\d \d\d:\d\d +\w{26}$/m);
  expect(listed.out).toMatch(/^Grace +owner of default +active /m);
  const removed = await place.run("members", "remove", "Grace");
  expect(removed.out).toBe("Removed Grace.\n");
  expect((await fetch(`${url}/v1/session`, { headers: { cookie } })).status).toBe(401);
  const members = JSON.parse((await place.run("members", "list", "--json")).out);
  expect(members).toMatchObject([{ name: "Ada", isServerOwner: true, roles: [], state: "active" }]);
  server.child.kill("SIGTERM");
  await server.child.exited;
});

test("a server that has an owner prints where the dashboard is, and no link", async () => {
  const server = await place.serve();
  expect(server.err()).toContain(`  Dashboard     ${server.url}\n`);
  expect(server.err()).not.toContain("#link=");
});

test("what cannot be is refused with its reason", async () => {
  for (const [words, reason] of [
    [["invite", "ada"], 'docent members link "ada"'],
    [["invite", "ada"], "There is a member ada already."],
    [["invite", " "], "A member's name must have 1 to 100 characters."],
    [["invite", "Bob", "--role", "king"], "--role is owner or viewer, not king."],
    [["invite", "Bob", "--server-owner", "--role", "viewer"], "needs no organization and no role"],
    [["invite", "Bob", "--organization", "nowhere"], "nowhere"],
    [["link", "nobody"], "There is no member nobody."],
    [["remove", "nobody"], "There is no member nobody."],
  ] as const) {
    const ran = await place.run("members", ...words);
    expect([words, ran.code]).toEqual([words, 1]);
    expect(ran.err).toContain(reason);
  }
});
