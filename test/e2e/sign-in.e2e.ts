import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SignInDoor, startSignInDoor } from "../helpers/sign-in-door.ts";
import { accessibilityFaults, picture, sharedBrowser, type TestBrowser } from "./browser.ts";

// The provider is `oidc-provider` itself; its pages say yes by themselves.

let browser: TestBrowser;
let door: SignInDoor;
let at: string;
beforeAll(async () => {
  browser = await sharedBrowser();
  door = await startSignInDoor();
  at = door.app.publicUrl;
});
afterAll(async () => {
  await door.close();
});

// What the browser asks first, before anybody is signed in; and for an icon of the provider.
const expectErrors = /401|404/;

describe("signing in with a provider, in a browser", () => {
  test("by its button, back to where one was going, and out of both again", async () => {
    const visit = await browser.visit({ expectErrors });
    const { page } = visit;
    door.provider.whoSignsIn = "ada";
    await page.goto(`${at}/members`);
    const button = page.getByRole("link", { name: "Sign in with Company account" });
    await button.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "sign-in");
    await button.click();
    await page.getByRole("heading", { name: "Members" }).waitFor();
    expect(page.url()).toBe(`${at}/members`);
    await page.getByText("by company").first().waitFor();
    await page
      .getByRole("button", { name: /Ada Lovelace/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await button.waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await visit.end();
  });

  test("who has no group here is told so in words, and so is whoever comes to a provider that is away", async () => {
    const visit = await browser.visit({ expectErrors });
    const { page } = visit;
    door.provider.whoSignsIn = "eve";
    await page.goto(`${at}/sign-in`);
    await page.getByRole("link", { name: "Sign in with Company account" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("none of your groups lets you in here");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${at}/sign-in?failed=unavailable&provider=company`);
    await page.getByText("Company account does not answer").waitFor();
    await visit.end();
  });

  test("who was signed out in the middle signs in in another tab, and goes on where they were", async () => {
    const visit = await browser.visit({ expectErrors });
    const { page, context } = visit;
    door.provider.whoSignsIn = "ada";
    await page.goto(`${at}/sign-in`);
    await page.getByRole("link", { name: "Sign in with Company account" }).click();
    await page.getByRole("heading", { name: "Sites" }).waitFor();
    const cookies = await context.cookies();
    await context.clearCookies({ name: "docent_session" });
    expect(cookies.some(({ name, sameSite }) => name === "docent_session" && sameSite === "Strict")).toBe(
      true,
    );
    await page.getByRole("link", { name: "Members" }).first().click();
    const again = page.getByRole("link", { name: "Sign in in another tab" });
    await again.waitFor();
    const [tab] = await Promise.all([context.waitForEvent("page"), again.click()]);
    await tab.getByRole("heading", { name: "Your account" }).waitFor();
    await again.waitFor({ state: "detached" });
    await page.getByText("by company").first().waitFor();
    await visit.end();
  });
});
