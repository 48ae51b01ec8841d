import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import {
  accessibilityFaults,
  picture,
  sharedBrowser,
  type TestBrowser,
  type Visit,
  type VisitOptions,
} from "./browser.ts";

setDefaultTimeout(300_000);

const PASSWORD = "correct horse battery";
const LINUX = "How do I install Acme on Linux?";
/** What would run if a page took it for more than text. */
const INJECTED = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>`;
/** Browsers write down that something is not there, even where that is the answer that was looked for. */
const REFUSALS = /Failed to load resource: the server responded with a status of 404/;

type Cookies = Awaited<ReturnType<Visit["context"]["cookies"]>>;

let browser: TestBrowser;
let docent: TestDocent;
let cookies: Record<"owner" | "viewer", Cookies>;
let site: string;
let asked: number;
beforeAll(async () => {
  [browser, docent] = await Promise.all([sharedBrowser(), startDocent()]);
  const { organizationId, organizationName } = await organizationOf("acme");
  site = `${docent.url}/dashboard/${organizationName}/acme`;
  cookies = {
    owner: await signIn("Ada", { organizationId, role: "owner" }),
    viewer: await signIn("Vera", { organizationId, role: "viewer" }),
  };
  asked = 0;
  const liked = await ask(LINUX, { currentPath: "/guide/install" });
  await rate(liked, true, "Just right.");
  const disliked = await ask("How do I install Acme on macOS?");
  await rate(disliked, false, INJECTED);
  for (const text of ["How do I set up SCIM provisioning?", "scim provisioning setup"]) await ask(text);
  await ask(`${INJECTED} zzqx?`, { currentPath: `/${INJECTED}` });
});
afterAll(async () => {
  await docent.close();
});

async function organizationOf(domain: string) {
  const { people } = docent.app.parts;
  const { organizationId } = await people.sites.get(domain);
  const organizations = await people.sites.listOrganizations();
  const organizationName = organizations.find(({ id }) => id === organizationId)?.name ?? "";
  return { organizationId, organizationName };
}

async function signIn(
  name: string,
  belonging: { organizationId: string; role: "owner" | "viewer" },
): Promise<Cookies> {
  const { link } = await docent.app.parts.people.members.invite(name, belonging);
  const { context, end } = await browser.visit();
  const reply = await context.request.put(`${docent.url}/v1/session/link`, {
    headers: { origin: docent.url },
    data: { link: link.text, password: PASSWORD },
  });
  expect(reply.status()).toBe(200);
  const kept = await context.cookies();
  await end();
  return kept;
}

async function ask(text: string, more: Record<string, unknown> = {}): Promise<Headers> {
  const body = question(text, more);
  const messages = body.messages.map((message) => ({ ...message, id: `e${asked++}` }));
  const reply = await docent.post({ ...body, messages, ...more });
  await reply.text();
  expect(reply.status).toBe(200);
  return reply.headers;
}

async function rate(headers: Headers, helpful: boolean, comment: string): Promise<void> {
  const said = { threadId: headers.get("x-thread-id"), messageId: headers.get("x-message-id") };
  const reply = await fetch(`${docent.url}/v1/feedback/acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${docent.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...said, helpful, comment }),
  });
  expect(reply.status).toBe(204);
}

async function signedIn(
  { as = "owner", ...options }: VisitOptions & { as?: "owner" | "viewer" },
  run: (page: Page) => Promise<void>,
) {
  const visit = await browser.visit({ expectErrors: REFUSALS, ...options });
  await visit.context.addCookies(cookies[as]);
  await run(visit.page);
  expect(await visit.page.evaluate("window.broken")).toBeUndefined();
  await visit.end();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

const VIEWS: VisitOptions[] = [
  { width: 1440, theme: "light" },
  { width: 390, height: 844, theme: "dark" },
];

describe("every page", () => {
  test.each(VIEWS)("can be used by everybody, and fits: %j", async (options) => {
    await signedIn(options, async (page) => {
      for (const [path, title] of [
        ["", "Overview"],
        ["/conversations", "Conversations"],
        ["/conversations/evaluation", "Evaluation questions"],
        ["/gaps", "Gaps"],
        ["/answers", "Curated answers"],
        ["/answers/new", "Write an answer"],
      ] as const) {
        await page.goto(site + path);
        await heading(page, title);
        await page.waitForLoadState("networkidle");
        expect(await accessibilityFaults(page), path).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, path).toBe(0);
      }
    });
  });
});

describe("the overview", () => {
  test("tells what was asked and what is missing, and of too few opinions no share", async () => {
    await signedIn({}, async (page) => {
      await page.goto(site);
      await heading(page, "Questions by day");
      await page.getByText("2 ratings: too few to tell").waitFor();
      await heading(page, "What to write next");
      await page.getByText("Answers are quoted from the docs.").waitFor();
      await page.waitForLoadState("networkidle");
      await follow(page, "7 days");
      await page.waitForURL(/days=7/);
      await follow(page, "No answer");
      await page.waitForURL(/show=unanswered/);
      await page.getByRole("link", { name: "scim provisioning setup" }).waitFor();
    });
  });
});

describe("conversations", () => {
  test("are narrowed by what is in the address, and found by words", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${site}/conversations`);
      const list = page.getByRole("list", { name: "Conversations" });
      await list.getByRole("listitem").nth(4).waitFor();
      await press(page, "Disliked");
      await page.waitForURL(/show=disliked/);
      await list.getByText("How do I install Acme on macOS?").waitFor();
      expect(await list.getByRole("listitem").count()).toBe(1);
      await page.reload();
      await list.getByText("How do I install Acme on macOS?").waitFor();
      await press(page, "All");
      await page.getByRole("searchbox").fill("LINUX acme");
      await page.keyboard.press("Enter");
      await page.waitForURL(/text=LINUX/);
      await list.getByRole("link", { name: LINUX }).waitFor();
      await page.getByRole("searchbox").fill("nothing has this");
      await page.keyboard.press("Enter");
      await heading(page, "No such conversation");
      await press(page, "Show all");
      await list.getByRole("listitem").nth(4).waitFor();
    });
  });

  test("one is shown with its passages, becomes a curated answer, and is kept for evaluation", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${site}/conversations?text=linux`);
      await follow(page, LINUX);
      await heading(page, "What was found");
      await page.getByText("Just right.").waitFor();
      await page.getByText("Cited").first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, "dashboard-conversation");

      await press(page, "Keep for evaluation");
      const expected = page.getByLabel("Pages that should be found");
      expect(await expected.inputValue()).toContain("guide/install#linux");
      await press(page, "Keep it");
      await press(page, "Show the list");
      await heading(page, "Evaluation questions");
      await page.getByRole("link", { name: LINUX }).click();

      await follow(page, "Make it a curated answer");
      await page.getByLabel("Questions", { exact: true }).fill(`${LINUX}\nInstall on Linux`);
      const answer = page.getByLabel("Answer", { exact: true });
      expect(await answer.inputValue()).toContain("](/guide/install#linux)");
      await answer.fill(`Run the installer: [Install](/guide/install#linux). ${INJECTED}`);
      await page.getByRole("link", { name: "Install", exact: true }).waitFor();
      await press(page, "Save the answer");
      await heading(page, "Curated answers");
      await page.getByRole("link", { name: LINUX }).waitFor();
      const again = await ask("install on linux");
      await page.goto(`${site}/conversations/${again.get("x-message-id")}`);
      await page.getByText("people: a curated answer").waitFor();
    });
  });

  test("what was written is not lost by leaving, and a deleted answer can be brought back", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${site}/answers`);
      await page.getByRole("link", { name: LINUX }).click();
      await page.getByLabel("Answer", { exact: true }).fill("Something else.");
      await follow(page, "Gaps");
      await heading(page, "Leave without saving?");
      await press(page, "Cancel");
      expect(await page.getByLabel("Answer", { exact: true }).inputValue()).toBe("Something else.");
      await press(page, "Delete");
      await press(page, "Delete the answer");
      await heading(page, "No curated answers yet");
      await press(page, "Undo");
      await heading(page, "Curated answer");
      expect(await page.getByLabel("Questions", { exact: true }).inputValue()).toBe(
        `${LINUX}\nInstall on Linux`,
      );
    });
  });

  test("one is deleted when that is agreed to, and its address says so", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${site}/conversations?text=zzqx`);
      await page.getByRole("list", { name: "Conversations" }).getByRole("link").first().click();
      await heading(page, "What was found");
      const address = page.url();
      await press(page, "Delete");
      await press(page, "Delete the conversation");
      await heading(page, "Conversations");
      await page.goto(address);
      await heading(page, "This conversation is not there");
    });
  });

  test("are there as files, for who is signed in", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${site}/conversations`);
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "Export CSV" }).click();
      expect((await download).suggestedFilename()).toBe("acme-conversations.csv");
    });
  });
});

describe("gaps", () => {
  test("open to their questions, are dismissed and brought back, by the keyboard alone", async () => {
    await signedIn({ reducedMotion: true }, async (page) => {
      await page.goto(`${site}/gaps`);
      const gap = page.getByRole("article").filter({ hasText: "SCIM" });
      await gap.getByRole("button", { name: "Show the questions" }).focus();
      await page.keyboard.press("Enter");
      await gap.getByRole("link", { name: "How do I set up SCIM provisioning?" }).waitFor();
      await gap.getByRole("button", { name: "Dismiss" }).focus();
      await page.keyboard.press("Enter");
      await gap.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).focus();
      await page.keyboard.press("Enter");
      await gap.waitFor();
      await picture(page, "dashboard-gaps");
      await gap.getByRole("link", { name: "Write an answer" }).click();
      await page.getByText("For a gap that was asked 2 times.").waitFor();
      expect(await page.getByLabel("Questions", { exact: true }).inputValue()).toContain("SCIM");
    });
  });
});

describe("a viewer", () => {
  test("sees all of it, and nothing that would change it", async () => {
    await signedIn({ as: "viewer" }, async (page) => {
      await page.goto(`${site}/gaps`);
      await page
        .getByRole("button", { name: /Show the question/ })
        .first()
        .waitFor();
      expect(await page.getByRole("button", { name: /Dismiss|Documented/ }).count()).toBe(0);
      await page.goto(`${site}/conversations?text=linux`);
      await page.getByRole("link", { name: LINUX }).first().click();
      await heading(page, "What was found");
      expect(await page.getByRole("button", { name: /Delete|Keep/ }).count()).toBe(0);
      await page.goto(`${site}/answers/new`);
      await page.getByText("An owner can write answers").waitFor();
      expect(await page.getByRole("button", { name: "Save the answer" }).count()).toBe(0);
    });
  });
});
