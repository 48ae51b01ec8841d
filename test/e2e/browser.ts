import { existsSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const PICTURES = join(import.meta.dir, "../../docs/images");
/** The shell first: the same engine, without the windows that a whole browser draws around each page, which cost twice the page. */
const KNOWN_PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
/** For what hangs: no test may depend on how fast the machine is. */
const ACTION_MAX_MS = 120_000;

/** Where the browser is; undefined where none is installed. */
export function findChromium(): string | undefined {
  return [process.env["DOCENT_CHROMIUM"] ?? "", ...KNOWN_PLACES].find(
    (path) => path !== "" && existsSync(path),
  );
}

export interface VisitOptions {
  /** 1440 unless given. */
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  reducedMotion?: boolean;
  /** False where the browser runs no scripts. */
  javaScript?: boolean;
  /** A closed shadow root opens, so that the test can look inside. What the widget is given stays the same. */
  opensShadows?: boolean;
  /** Parts of what the page's console may complain of. Anything else fails the test. */
  expectErrors?: RegExp;
}

/** One person with an empty browser. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Every request that was sent, as `GET http://…`. */
  requests: string[];
  /** Ends it. Raises where anything was asked of an address that is not this machine's, or the page complained. */
  end(): Promise<void>;
}

/** A real browser, with nothing in it and no way out of this machine. */
export async function openBrowser() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium: make e2e says what is missing");
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--force-color-profile=srgb",
      // Names lead nowhere, whatever a page tries.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost",
    ],
    // Tests of a container run as root, where the browser's own sandbox cannot start.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  return {
    visit: (options: VisitOptions = {}) => visit(browser, options),
    close: () => browser.close(),
  };
}

export type TestBrowser = Pick<Awaited<ReturnType<typeof openBrowser>>, "visit">;

let shared: ReturnType<typeof openBrowser> | undefined;

/** One for all files of a process, with which it ends: each visit has a context of its own, and a start takes as long as a test. */
export const sharedBrowser = (): Promise<TestBrowser> => {
  shared ??= openBrowser();
  return shared;
};

async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.theme ?? "light",
    javaScriptEnabled: options.javaScript ?? true,
    reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
    // Times are shown as readers of one place see them, whatever the machine's own is.
    locale: "en-GB",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(ACTION_MAX_MS);
  const requests: string[] = [];
  const strayed: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => {
    requests.push(`${request.method()} ${request.url()}`);
    if (!isHere(request.url())) strayed.push(request.url());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  if (options.opensShadows) await context.addInitScript(openShadows);
  const page = await context.newPage();
  return {
    page,
    context,
    requests,
    async end() {
      await context.close();
      if (strayed.length > 0) throw new Error(`asked of elsewhere: ${strayed.join(", ")}`);
      const unexpected = complaints.filter((each) => !options.expectErrors?.test(each));
      if (unexpected.length > 0) throw new Error(`the page complained: ${unexpected.join("\n")}`);
    },
  };
}

const REST_MAX_MS = 5000;

/**
 * Gives what a page still asks for the time to come. It ends by itself: where a frame was replaced while it loaded, the
 * browser may wait for that frame's requests forever.
 */
export async function atRest(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: REST_MAX_MS }).catch(() => {});
}

/** Data and blobs are on the page already, and files on this machine. */
function isHere(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return /^(data|blob|file):$/.test(protocol) || /^(127\.0\.0\.1|(.*\.)?localhost)$/.test(hostname);
}

/** Runs in the page, before its own scripts. */
function openShadows(): void {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (this: Element, init: ShadowRootInit) {
    return attach.call(this, { ...init, mode: "open" });
  };
}

/** What `axe-core` finds wrong with the page, of any weight, as lines; empty where there is nothing. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(untilStill);
  // Evaluated, not added as a script: the page's own policy refuses scripts from anywhere else. It stays until the page is left.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: runner } = window as unknown as { axe: typeof axe };
    const { violations: found } = await runner.run(document, { resultTypes: ["violations"] });
    return found.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      where: nodes.map(({ target }) => target.join(" ")).slice(0, 5),
    }));
  });
  return violations.map(({ id, impact, help, where }) => `${impact}: ${id}: ${help}: ${where.join(", ")}`);
}

/** Runs in the page: what fades in is not judged by what it looks like half way. */
async function untilStill(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** Keeps what the page looks like for the documentation, where pictures are asked for (`PICTURES=1 make e2e`). */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["PICTURES"] !== "1") return;
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled", caret: "hide" });
}
