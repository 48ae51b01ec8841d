import { existsSync } from "node:fs";
import { z } from "zod";
import { COMMAND_MAX_MS, type Driver, saidBy } from "./driver.ts";

const DRIVER = "/usr/bin/WebKitWebDriver";
const DISPLAY_SERVER = "/usr/bin/Xvfb";
const MINI_BROWSER = new Bun.Glob("/usr/lib/*/webkit*gtk-*/MiniBrowser");
const SIZE = { width: 1280, height: 800 };
const KNOCK_EVERY_MS = 50;

const started = z.object({ sessionId: z.string() });
const failed = z.object({ error: z.string(), message: z.string() });

/** The browser that WebKitGTK brings along, where its driver and a display without a screen are there too. */
export function findWebKit(): string | undefined {
  if (![DRIVER, DISPLAY_SERVER].every((path) => existsSync(path))) return undefined;
  return MINI_BROWSER.scanSync({ cwd: "/", absolute: true }).next().value ?? undefined;
}

/** WebKitGTK's own browser, over W3C WebDriver. */
export async function startWebKit(): Promise<Driver> {
  const browser = findWebKit();
  if (browser === undefined) throw new Error("no WebKit");
  const display = Bun.spawn([DISPLAY_SERVER, "-displayfd", "1", "-screen", "0", "1440x900x24"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const children: Bun.Subprocess[] = [display];
  const end = async () => {
    for (const child of children.reverse()) {
      child.kill();
      await child.exited;
    }
  };
  try {
    const number = await saidBy(display.stdout, /^(\d+)\n/);
    const port = freePort();
    children.push(
      Bun.spawn([DRIVER, "--host=127.0.0.1", `--port=${port}`], {
        env: { ...process.env, DISPLAY: `:${number}` },
        stdio: ["ignore", "ignore", "ignore"],
      }),
    );
    return await openSession(`http://127.0.0.1:${port}`, browser, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** The driver takes no free port by itself. */
function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port ?? 0;
}

async function openSession(driver: string, browser: string, end: () => Promise<void>): Promise<Driver> {
  await untilOpen(`${driver}/status`);
  const options = { binary: browser, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = started.parse(await send("POST", `${driver}/session`, { capabilities }));
  const session = `${driver}/session/${sessionId}`;
  const resize = async (width: number, height: number) => {
    await send("POST", `${session}/window/rect`, { width, height });
  };
  await resize(SIZE.width, SIZE.height);
  return {
    async navigate(url) {
      await send("POST", `${session}/url`, { url });
    },
    evaluate: (expression) =>
      send("POST", `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    async perform(actions) {
      await send("POST", `${session}/actions`, { actions });
    },
    resize,
    async close() {
      // The driver ends the browser with its session.
      await send("DELETE", session).catch(() => {});
      await end();
    },
  };
}

async function untilOpen(address: string): Promise<void> {
  const latestAt = Date.now() + COMMAND_MAX_MS;
  while (
    !(await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > latestAt) throw new Error("WebKitWebDriver does not start");
    await Bun.sleep(KNOCK_EVERY_MS);
  }
}

async function send(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(COMMAND_MAX_MS),
  });
  const { value } = z.object({ value: z.unknown() }).parse(await response.json());
  if (response.ok) return value;
  const { error, message } = failed.parse(value);
  throw new Error(`${error}: ${message}`);
}
