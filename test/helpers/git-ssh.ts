import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PROGRAM = "/usr/sbin/sshd";

/** Whether this machine has a server of ssh, and its client. Tests that need them say so where it has not. */
export const hasSshd = existsSync(PROGRAM) && ["ssh", "ssh-keygen"].every((name) => Bun.which(name) !== null);

export interface GitSsh extends AsyncDisposable {
  /** Without a slash at the end. */
  url: string;
  /** The command of ssh, with a key of that name and the known hosts of that file. */
  command(key: "right" | "wrong", knownHosts?: string): string;
  knownHosts: string;
}

/** A real server of ssh on the loopback address, which lets one key in. Its files are in that folder. */
export async function startGitSsh(folder: string): Promise<GitSsh> {
  const at = (name: string) => join(folder, name);
  for (const name of ["host", "right", "wrong"])
    run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", at(name)]);
  const port = freePort();
  const settings = [
    "ListenAddress 127.0.0.1",
    `Port ${port}`,
    `HostKey ${at("host")}`,
    "PidFile none",
    `AuthorizedKeysFile ${at("right.pub")}`,
    "PasswordAuthentication no",
    "StrictModes no",
    // Without it, an account that has no password counts as locked; only root may use it.
    `UsePAM ${process.getuid?.() === 0 ? "yes" : "no"}`,
    "KbdInteractiveAuthentication no",
    "PermitRootLogin prohibit-password",
  ];
  writeFileSync(at("sshd_config"), `${settings.join("\n")}\n`);
  const knownHosts = at("known_hosts");
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${readFileSync(at("host.pub"), "utf8")}`);
  // Started by root it wants this folder, which the system's own start of it makes.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const child = Bun.spawn([PROGRAM, "-D", "-e", "-f", at("sshd_config")], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  await listening(child.stderr);
  return {
    url: `ssh://${run(["id", "-un"]).trim()}@127.0.0.1:${port}`,
    knownHosts,
    command: (key, known = knownHosts) =>
      `ssh -F none -i ${at(key)} -oIdentitiesOnly=yes -oBatchMode=yes -oUserKnownHostsFile=${known} -oGlobalKnownHostsFile=none`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function listening(output: ReadableStream<Uint8Array>): Promise<void> {
  let said = "";
  const reader = output.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`sshd ended: ${said}`);
    said += new TextDecoder().decode(value);
    if (said.includes("Server listening")) break;
  }
  // What it says later would fill the pipe.
  void (async () => {
    while (!(await reader.read()).done);
  })();
}

function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  server.stop(true);
  return server.port;
}

function run(words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}
