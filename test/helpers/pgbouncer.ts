import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import type { OwnServer } from "./postgres.ts";
import { until } from "./until.ts";

const PROGRAM = Bun.which("pgbouncer") ?? Bun.which("pgbouncer", { PATH: "/usr/sbin:/usr/local/sbin" });

export const hasPgbouncer = PROGRAM !== null;

type PoolMode = "session" | "transaction" | "statement";

/** A PgBouncer before a PostgreSQL, gone with this process. Returns the address of a database through it. */
export async function startPgbouncer(postgres: OwnServer, mode: PoolMode, more: readonly string[] = []) {
  if (PROGRAM === null) throw new Error("PgBouncer is not installed here");
  const folder = mkdtempSync(join(tmpdir(), "docent-pgbouncer-"));
  const port = await freePort();
  const settings = [
    "[databases]",
    `* = host=${postgres.directory} port=5432`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    ...more,
  ];
  // With any user let in, PgBouncer itself has to be told as whom to go on.
  settings[1] += " user=postgres";
  writeFileSync(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`);
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) Bun.spawnSync(["chown", "-R", "postgres", folder]);
  const as = isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const words = ["setpriv", "--pdeathsig", "KILL", ...as, PROGRAM, join(folder, "pgbouncer.ini")];
  async function begin() {
    const started = Bun.spawn(words, { stdout: "ignore", stderr: "ignore" });
    started.unref();
    await until(() => isListening(port));
    return started;
  }
  let child = await begin();
  async function end(): Promise<void> {
    child.kill("SIGKILL");
    await child.exited;
  }
  return {
    urlOf: (name: string) => `postgres://postgres:any@127.0.0.1:${port}/${name}`,
    /** Kills it, and starts it again once something was done. */
    async restart({ meanwhile }: { meanwhile: () => Promise<void> }) {
      await end();
      await meanwhile();
      child = await begin();
    },
    async stop() {
      await end();
      Bun.spawnSync(["rm", "-rf", folder]);
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
