import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a proxy is started with. */
export interface ProxyStart {
  /** Its files by name, in a directory of their own. */
  files: Record<string, string>;
  /** Its arguments; `folder` is that directory. */
  argv(folder: string): string[];
}

export interface RunningProxy {
  close(): Promise<void>;
}

const STARTS_WITHIN_MS = 20_000;

/**
 * The program of a proxy that is installed. `DOCENT_TEST_CADDY`, and so on for the others, names another one: a second
 * version, or one that is in no search path.
 */
export function findProxy(name: string, places: readonly string[]): string | undefined {
  const named = process.env[`DOCENT_TEST_${name.toUpperCase()}`];
  if (named !== undefined) return named;
  return Bun.which(name) ?? places.find((place) => existsSync(place));
}

/** Starts a proxy and waits until Docent answers behind it. What it says where it does not is in the error. */
export async function startProxy(
  program: string,
  { files, argv }: ProxyStart,
  answers: () => Promise<boolean>,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "docent-proxy-"));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text.replaceAll("{folder}", folder));
  const log = join(folder, "output.txt");
  const child = Bun.spawn([program, ...argv(folder)], {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", Bun.file(log), Bun.file(`${log}.err`)],
  });
  const close = async () => {
    child.kill();
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const giveUpAt = Date.now() + STARTS_WITHIN_MS;
  while (!(await answers())) {
    if (child.exitCode === null && Date.now() < giveUpAt) {
      await Bun.sleep(50);
      continue;
    }
    const said = `${await Bun.file(log).text()}${await Bun.file(`${log}.err`).text()}`;
    await close();
    throw new Error(`Docent does not answer behind ${program}:\n${said}`);
  }
  return { close };
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  server.stop(true);
  return port;
}
