import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { COMMAND_MAX_MS, type Driver, saidBy } from "./driver.ts";

const KNOWN_PLACES = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
const INNER_SIZE = { width: 1280, height: 800 };

/** Nothing but this machine is reached: where names would lead, no proxy answers. */
const PREFERENCES = {
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 1,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 1,
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "intl.accept_languages": "en-GB",
};

const reply = z.looseObject({
  id: z.number().nullish(),
  type: z.string(),
  result: z.looseObject({}).optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});
const tree = z.object({ contexts: z.tuple([z.object({ context: z.string() })]).rest(z.unknown()) });
/** Asked for again and again: the browser was seen never to say itself that a page was there, which came behind another. */
const PAGE_THERE =
  "JSON.stringify({ address: location.href, state: document.readyState, since: performance.timeOrigin })";
const pageThere = z.object({ address: z.string(), state: z.string(), since: z.number() }).partial();
const LOOK_EVERY_MS = 50;
const ANSWER_MAX_MS = 1000;
const evaluated = z.union([
  z.object({ type: z.literal("success"), result: z.object({ value: z.unknown() }) }),
  z.object({ type: z.literal("exception"), exceptionDetails: z.object({ text: z.string() }) }),
]);

export function findFirefox(): string | undefined {
  return [process.env["DOCENT_FIREFOX"] ?? "", ...KNOWN_PLACES].find(
    (path) => path !== "" && existsSync(path),
  );
}

/** Firefox without a screen, over WebDriver BiDi. */
export async function startFirefox(): Promise<Driver> {
  const program = findFirefox();
  if (program === undefined) throw new Error("no Firefox");
  const profile = mkdtempSync(join(tmpdir(), "docent-firefox-"));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await Bun.write(join(profile, "user.js"), lines.join("\n"));
  const child = Bun.spawn(
    [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile, "about:blank"],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const end = async () => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const address = await saidBy(child.stderr, /listening on (ws:\S+)/);
    return await openSession(`${address}/session`, end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function openSession(address: string, end: () => Promise<void>): Promise<Driver> {
  const send = await connect(address);
  await send("session.new", { capabilities: {} });
  const [{ context }] = tree.parse(await send("browsingContext.getTree", {})).contexts;
  const resize = async (width: number, height: number) => {
    await send("browsingContext.setViewport", { context, viewport: { width, height } });
  };
  await resize(INNER_SIZE.width, INNER_SIZE.height);
  const evaluate = async (expression: string) => {
    const ran = evaluated.parse(
      await send("script.evaluate", { expression, target: { context }, awaitPromise: true }),
    );
    if (ran.type === "exception") throw new Error(ran.exceptionDetails.text);
    return ran.result.value;
  };
  /** What is there now; nothing of a page that is just being left, which gives no answer, or a late one. */
  const pageNow = async () => {
    const said = await Promise.race([evaluate(PAGE_THERE), Bun.sleep(ANSWER_MAX_MS)]).catch(() => undefined);
    return pageThere.parse(JSON.parse(String(said ?? "{}")));
  };
  return {
    async navigate(url) {
      const { since: before } = await pageNow();
      await send("browsingContext.navigate", { context, url, wait: "none" });
      await untilTrue(`${url} is there`, async () => {
        const { address, state, since } = await pageNow();
        return address === new URL(url).href && state === "complete" && since !== before;
      });
    },
    evaluate,
    async perform(actions) {
      await send("input.performActions", { context, actions });
    },
    resize,
    close: end,
  };
}

async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const latestAt = Date.now() + COMMAND_MAX_MS;
  while (!(await isTrue())) {
    if (Date.now() > latestAt) throw new Error(`it never came that ${what}`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

type Send = (method: string, params: object) => Promise<unknown>;

/** Commands and their replies, by number. */
async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener("message", ({ data }) => {
    const { id, type, result, error, message } = reply.parse(JSON.parse(String(data)));
    const pending = waiting.get(id ?? -1);
    if (type === "error") pending?.reject(new Error(`${error}: ${message}`));
    else pending?.resolve(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  let last = 0;
  return async (method, params) => {
    const id = ++last;
    const pending = Promise.withResolvers<unknown>();
    waiting.set(id, pending);
    const late = setTimeout(() => pending.reject(new Error(`no reply to ${method}`)), COMMAND_MAX_MS);
    socket.send(JSON.stringify({ id, method, params }));
    return pending.promise.finally(() => {
      clearTimeout(late);
      waiting.delete(id);
    });
  };
}
