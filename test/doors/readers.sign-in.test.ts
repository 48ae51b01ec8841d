import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { type SignInDoor, startSignInDoor } from "../helpers/sign-in-door.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

// Readers who sign in with a provider, or whom a proxy names. How members do is in sign-in.test.ts.

const PAGES = { "index.md": "# Start\n\nThe handbook.", "guide.md": "# Guide\n\nTurn the engine on." };

async function addInside(docent: TestDocent): Promise<void> {
  await addSiteWithPages(docent, "inside", PAGES);
  await docent.app.parts.people.sites.set("inside", { settings: { readers: "signed-in" } });
}

describe("a reader signs in with a provider", () => {
  let door: SignInDoor;
  let at: string;
  beforeAll(async () => {
    door = await startSignInDoor({ settings: { base_path: "/docent" } }, "    readers: true\n");
    at = door.app.publicUrl;
    await addInside(door);
  });
  afterAll(() => door.close());

  const wayIn = (text: string) =>
    /class="sign-in" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";

  async function signIn(person: string | undefined) {
    const browser = door.browser();
    const first = await browser.go(`${at}/sites/inside/guide?theme=dark`);
    door.provider.whoSignsIn = person;
    return { browser, first, back: await browser.go(wayIn(first.text)) };
  }

  test("with the button of the page that is shown in place of every page, and is led back to where they were", async () => {
    const { first, back } = await signIn("eve");
    expect([first.status, first.text]).toEqual([
      401,
      expect.stringContaining("Sign in with Company account"),
    ]);
    expect([back.status, back.url.href]).toEqual([200, `${at}/sites/inside/guide?theme=dark`]);
    expect(back.text).toContain("Turn the engine on.");
    expect(back.text).toContain("Eve");
  });

  test("and is no member by it: the dashboard and its API stay closed", async () => {
    const { browser } = await signIn("eve");
    expect((await browser.ask("GET", `${at}/v1/session`)).status).toBe(401);
    expect((await browser.ask("GET", `${at}/v1/admin/sites`)).status).toBe(401);
    const members = await door.app.parts.people.members.list();
    expect(members.map(({ name }) => name)).not.toContain("Eve");
  });

  test("and is told that it did not work where they say no there", async () => {
    const { back } = await signIn(undefined);
    expect([back.status, back.text]).toEqual([
      401,
      expect.stringContaining("You could not be signed in. Try again."),
    ]);
    expect(wayIn(back.text)).not.toContain("sign-in-failed");
  });

  test("and is read to nobody else by a session that was planted before", async () => {
    const planted = await door.app.parts.people.readerSessions.begin(
      { issuer: "x", subject: "mallory", name: undefined, groups: [] },
      { provider: "company" },
    );
    const browser = door.browser();
    browser.setCookies(`${at}/sites`, { docent_reads: planted });
    door.provider.whoSignsIn = "eve";
    await browser.go(`${at}/v1/sign-in/company?purpose=reader&returnTo=%2Fsites%2Finside%2F`);
    expect(browser.cookies(`${at}/sites`)["docent_reads"]).not.toBe(planted);
  });

  test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "/sites/../../x"])(
    "and is led to no other server: %s",
    async (returnTo) => {
      door.provider.whoSignsIn = "eve";
      const back = await door
        .browser()
        .go(`${at}/v1/sign-in/company?purpose=reader&returnTo=${encodeURIComponent(returnTo)}`);
      expect(back.url.origin).toBe(new URL(at).origin);
    },
  );

  test("and owners are told so in a sentence", async () => {
    const { people } = door.app.parts;
    const { text } = await people.adminKeys.create({ name: "k", organizationId: undefined, mayWrite: false });
    const reply = await fetch(`${at}/v1/admin/sites/inside/readers`, {
      headers: { authorization: `Bearer ${text}` },
    });
    expect(await reply.json()).toMatchObject({
      sentence: "People who sign in with Company account and members.",
    });
  });
});

describe("a reader whom a proxy names", () => {
  const folder = temporaryDirectory();
  const ADA = { "x-forwarded-user": "ada", "x-forwarded-groups": "staff" };
  const open = async (from: string, readers: boolean) => {
    const file = join(folder.path, `${from}-${readers}.yml`);
    const more = readers ? "  readers: true\n" : "  members: { viewers: { default: [staff] } }\n";
    await Bun.write(
      file,
      `proxy:\n  from: ["${from}"]\n  user_header: x-forwarded-user\n  groups_header: x-forwarded-groups\n${more}`,
    );
    const docent = await startDocent({ docs: null, settings: { sign_in_file: file } });
    await addInside(docent);
    return docent;
  };
  afterAll(() => folder[Symbol.dispose]());

  const statuses = async ({ url, key, close }: TestDocent) => {
    const page = await fetch(`${url}/sites/inside/guide`, { headers: ADA });
    const search = await fetch(`${url}/v1/search/inside`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...ADA },
      body: JSON.stringify({ query: "engine" }),
    });
    await close();
    return [page.status, search.status];
  };

  test("reads, where the operator said so, and where the proxy itself is at the other end", async () => {
    expect(await statuses(await open("127.0.0.1", true))).toEqual([200, 200]);
  });

  test("is nobody where a stranger sends the same headers, and a member's right to look is no reader's for programs", async () => {
    expect(await statuses(await open("10.0.0.1", true))).toEqual([401, 401]);
    const [, search] = await statuses(await open("127.0.0.1", false));
    expect(search).toBe(401);
  });
});
