import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { sharedBrowser, type TestBrowser, type Visit, type VisitOptions } from "./browser.ts";
import { ANSWER, startWidgetSite, type WidgetSite } from "./widget-page.ts";

/** What the model writes unless a test says otherwise, word by word. */
export const WORDS = ANSWER.split(/(?<=\s)/);

/** A page with the widget for the tests of a file. Each begins with a plain page, and what it opened is closed behind it. */
export function widgetVisits(usual: VisitOptions = {}, settings: () => Record<string, string> = () => ({})) {
  let browser: TestBrowser;
  let site: WidgetSite;
  let ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([sharedBrowser(), startWidgetSite(settings())]);
  });
  afterAll(async () => {
    await site.close();
  });
  beforeEach(() => {
    site.serve({});
    site.ollama.replyWith({ text: WORDS });
  });
  afterEach(async () => {
    const open = ends;
    ends = [];
    for (const end of open) await end();
  });

  return {
    get site(): WidgetSite {
      return site;
    },
    get browser(): TestBrowser {
      return browser;
    },
    async visit(options: VisitOptions = {}, path?: string): Promise<Visit> {
      const visitor = await browser.visit({ opensShadows: true, ...usual, ...options });
      ends.push(visitor.end);
      await visitor.page.goto(site.address(path));
      return visitor;
    },
  };
}
