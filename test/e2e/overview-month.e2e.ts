import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { picture, sharedBrowser, type TestBrowser } from "./browser.ts";

setDefaultTimeout(300_000);

const DOCS = join(import.meta.dir, "../../docs");
const DAY_MS = 24 * 3_600_000;
const DAYS = 28;
const PASSWORD = "correct horse battery";
const ASKED = [
  ["How do I add a site?", "/getting-started"],
  ["How do I read a website every six hours?", "/sources"],
  ["Where is the database?", "/storage"],
  ["How do I go back to an earlier generation?", "/generations"],
  ["What does relevance_min do?", "/configuration"],
  ["How do I put the widget on my pages?", "/widget"],
  ["How do I restore a backup?", "/storage"],
  ["Which models can write answers?", "/models"],
  ["How do I run it behind a proxy?", "/operations"],
] as const;
const UNKNOWN = [
  "How do I set up SCIM provisioning?",
  "Is there a Kubernetes operator?",
  "Can I pay with PayPal?",
];

let browser: TestBrowser;
let docent: TestDocent;
let ollama: FakeOllama;
const began = Date.now();
/** How far back the server's clock is put. */
let agoMs = DAYS * DAY_MS;
let count = 0;

beforeAll(async () => {
  ollama = startFakeOllama();
  ollama.script((_, index) => ({
    text: "It is all in the docs [1].",
    firstTokenMs: 5 + (index % 7) * 9,
    tokenMs: 3,
  }));
  docent = await startDocent({
    ollama: ollama.url,
    docs: DOCS,
    clock: () => Date.now() - agoMs,
    settings: {
      answer_cache_answers: "0",
      organization_messages_per_hour: "0",
      address_messages_per_day: "0",
    },
  });
  await docent.app.parts.people.sites.set("acme", { name: "Acme Docs" });
  browser = await sharedBrowser();
  for (let day = 0; day <= DAYS; day++) {
    agoMs = (DAYS - day) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(began - agoMs).getUTCDay());
    // Pictures show a site that is busy; what is tested needs some questions of each day.
    const busy = (isWeekend ? 3 : 9) + ((day * 7) % 5) + Math.floor(day / 4);
    const questions = process.env["PICTURES"] === "1" ? busy : 2;
    for (let index = 0; index < questions; index++) await ask(day * 31 + index * 17);
  }
});
afterAll(async () => {
  await docent.close();
  await ollama.stop();
});

/** A question of the day, of one of some readers; now and then one that the docs do not answer, or an opinion. */
async function ask(pick: number): Promise<void> {
  const [text, currentPath] =
    pick % 11 === 3 ? [UNKNOWN[pick % UNKNOWN.length] ?? "", "/"] : (ASKED[pick % ASKED.length] ?? ASKED[0]);
  const body = { ...question(text), fp: `reader-${pick % 23}`, currentPath };
  const reply = await docent.post(body);
  expect(reply.status).toBe(200);
  await reply.text();
  count++;
  if (pick % 4 !== 0) return;
  const said = { threadId: reply.headers.get("x-thread-id"), messageId: reply.headers.get("x-message-id") };
  await fetch(`${docent.url}/v1/feedback/acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${docent.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...said, helpful: pick % 28 !== 0 }),
  });
}

test("a month of questions is there at a glance, on any screen", async () => {
  const { people } = docent.app.parts;
  const { organizationId } = await people.sites.get("acme");
  const [organization] = await people.sites.listOrganizations();
  const { link } = await people.members.invite("Ada", { organizationId, role: "owner" });
  const door = await browser.visit();
  await door.context.request.put(`${docent.url}/v1/session/link`, {
    headers: { origin: docent.url },
    data: { link: link.text, password: PASSWORD },
  });
  const cookies = await door.context.cookies();
  await door.end();
  for (const [name, options] of [
    ["dashboard-overview", { width: 1440, height: 1000 }],
    ["dashboard-overview-dark", { width: 1440, height: 1000, theme: "dark" }],
    ["dashboard-overview-phone", { width: 390, height: 844 }],
  ] as const) {
    const { page, context, end } = await browser.visit(options);
    await context.addCookies(cookies);
    await page.goto(`${docent.url}/dashboard/${organization?.name}/acme`);
    await page.getByText(String(count), { exact: true }).first().waitFor();
    await page.waitForLoadState("networkidle");
    expect([name, await figuresInRows(page)]).toEqual([name, options.width < 600 ? [2, 2, 2] : [6]]);
    await picture(page, name);
    await end();
  }
});

test("no figure of the overview stands in a row of its own, however wide the window is", async () => {
  const { people } = docent.app.parts;
  const { organizationId } = await people.sites.get("acme");
  const [organization] = await people.sites.listOrganizations();
  const { link } = await people.members.invite("Grace", { organizationId, role: "owner" });
  const { page, context, end } = await browser.visit();
  await context.request.put(`${docent.url}/v1/session/link`, {
    headers: { origin: docent.url },
    data: { link: link.text, password: PASSWORD },
  });
  await page.goto(`${docent.url}/dashboard/${organization?.name}/acme`);
  await page.getByText(String(count), { exact: true }).first().waitFor();
  for (const width of [320, 390, 600, 768, 820, 1024, 1180, 1280, 1366, 1440, 1536, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const rows = await figuresInRows(page);
    expect([width, new Set(rows).size, rows.every((each) => each > 1)]).toEqual([width, 1, true]);
  }
  await end();
});

/** How many figures stand beside each other, by row. */
async function figuresInRows(page: Page): Promise<number[]> {
  const figures = await page.locator(".overview-numbers > *").all();
  const boxes = await Promise.all(figures.map((each) => each.boundingBox()));
  return [...Map.groupBy(boxes, (box) => box?.y).values()].map(({ length }) => length);
}
