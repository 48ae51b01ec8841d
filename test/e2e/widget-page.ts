import type { Page } from "playwright-core";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";

/** A documentation page of somebody else's, with the widget on it. */
export interface WidgetSite {
  docent: TestDocent;
  ollama: FakeOllama;
  /** The address of a page, of another origin than Docent. */
  address(path?: string): string;
  /** What the next pages are. */
  serve(page: DocsPage): void;
  close(): Promise<void>;
}

/** How a page is made: everything unless said otherwise is plain. */
export interface DocsPage {
  /** More attributes of the script's tag. */
  attributes?: string;
  head?: string;
  body?: string;
  headers?: Record<string, string>;
  /** The whole page in place of all of that. */
  html?: (tag: string) => string;
}

const STYLE =
  "<style>:root { color-scheme: light dark } body { margin: 40px auto; max-width: 720px; font: 16px/1.6 system-ui } a { color: inherit }</style>";
const BODY = `<main>
  <h1 id="install">Install Acme</h1>
  <p id="intro">The installer needs root only when it writes to a system folder.</p>
  <label>Search <input id="search"></label>
  <section id="linux"><pre tabindex="0"><code>curl -fsSL https://get.acme.example | sh</code></pre></section>
  <p><a id="next" href="/guide/next">Next</a></p>
</main>`;

/** Docent with a model that is a fake, and a web server of another origin that shows its widget. */
export async function startWidgetSite(settings: Record<string, string> = {}): Promise<WidgetSite> {
  const ollama = startFakeOllama();
  const docent = await startDocent({
    ollama: ollama.url,
    // Each test says what the model writes.
    settings: { answer_cache_answers: "0", ...settings },
  });
  let page: DocsPage = {};
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname === "/favicon.ico"
        ? new Response(null, { status: 204 })
        : new Response(pageHtml(page, docent), {
            headers: { "content-type": "text/html; charset=utf-8", ...page.headers },
          }),
  });
  return {
    docent,
    ollama,
    address: (path = "/guide/install") => `http://127.0.0.1:${site.port}${path}`,
    serve(next) {
      page = next;
    },
    async close() {
      await site.stop(true);
      await docent.close();
      await ollama.stop();
    },
  };
}

function pageHtml({ attributes = "", head = "", body = BODY, html }: DocsPage, docent: TestDocent): string {
  const tag = `<script src="${docent.url}/widget.js" data-domain="acme" data-key="${docent.key}" ${attributes} defer></script>`;
  return (
    html?.(tag) ??
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Install Acme</title>${STYLE}${head}${tag}</head><body>${body}</body></html>`
  );
}

/** The answer that the model gives: with citations, code and a list. */
export const ANSWER = `You can install Acme with one command [1].

1. Download the **installer**.
2. Run it:

\`\`\`sh
curl -fsSL https://get.acme.example | sudo sh
\`\`\`

That is all it takes.`;

const REDRAWN_MAX_MS = 3000;

/**
 * Opens the widget by its button. What the site says of itself draws it anew; where the server does not say it, it stays
 * as it is.
 */
export async function openWidget(page: Page): Promise<void> {
  await page.locator(".launcher").click();
  await page.locator(".panel[open]").waitFor();
  const redrawn = page.locator(".docent[data-still]");
  await redrawn.waitFor({ state: "attached", timeout: REDRAWN_MAX_MS }).catch(() => undefined);
}

/** Writes a question and sends it. */
export async function ask(page: Page, question: string): Promise<void> {
  await page.locator(".composer textarea").fill(question);
  await page.locator(".composer textarea").press("Enter");
}

/** Waits until the newest answer is complete. */
export async function answered(page: Page): Promise<void> {
  await page.locator(".turn[aria-busy=false] .actions:visible").last().waitFor();
}

/** What has the focus, in the widget or around it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const host = document.querySelector("docent-widget");
    const element = host?.shadowRoot?.activeElement ?? document.activeElement;
    return element === null
      ? ""
      : `${element.tagName.toLowerCase()} ${element.className || element.id}`.trim();
  });
}
