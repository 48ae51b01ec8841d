import { expect, test } from "bun:test";
import { until } from "../helpers/until.ts";
import { accessibilityFaults } from "./browser.ts";
import { answered, ask, openWidget } from "./widget-page.ts";
import { widgetVisits } from "./widget-visits.ts";

const here = widgetVisits();

const stream = (followUps: string[]) =>
  [
    { type: "start", messageId: "m1", messageMetadata: { threadId: "t1" } },
    { type: "text-delta", id: "1", delta: "Run it." },
    { type: "finish", messageMetadata: { threadId: "t1", outcome: "answered", followUps } },
  ]
    .map((part) => `data: ${JSON.stringify(part)}\n\n`)
    .join("");

test("the questions below the last answer are reached and asked by keyboard, and go when they were", async () => {
  const { page } = await here.visit();
  const asked: string[] = [];
  await page.route("**/v2/assistant/**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    asked.push(route.request().postDataJSON().messages.at(-1).parts[0].text);
    await route.fulfill({
      headers: { "content-type": "text/event-stream", "access-control-allow-origin": "*" },
      body: stream(asked.length === 1 ? ["How do I update Acme?", "How do I remove Acme?"] : []),
    });
  });
  await openWidget(page);
  await ask(page, "How do I install Acme?");
  await answered(page);
  const questions = page.locator(".follow-ups button");
  await questions.nth(1).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await questions.allTextContents()).toEqual(["How do I update Acme?", "How do I remove Acme?"]);
  await page.locator(".transcript").focus();
  for (let tabs = 0; tabs < 10 && !(await questions.last().evaluate(isFocused)); tabs++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".turn").nth(1).waitFor();
  // The turn is there before it is sent, while the one before is what has been answered.
  await until(() => asked.length > 1);
  await answered(page);
  expect(asked).toEqual(["How do I install Acme?", "How do I remove Acme?"]);
  await questions.first().waitFor({ state: "detached" });
});

/** Runs in the page. */
const isFocused = (element: Element) => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot && root.activeElement === element;
};
