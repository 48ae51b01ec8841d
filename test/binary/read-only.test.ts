import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FIXTURE_DOCS, NO_OLLAMA } from "../helpers/docent.ts";
import { ended } from "../helpers/ended.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../helpers/program.ts";

const PROGRAMS_MS = 300_000;
/** root writes whatever its mode is: only a mount keeps it from that. */
const isRoot = process.getuid?.() === 0;
const canMount =
  isRoot && Bun.spawnSync(["unshare", "-m", "true"], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace({ DOCENT_CONNECT_SECONDS: "1" });
  for (const words of [
    ["sites", "add", "acme"],
    ["ingest", "acme", FIXTURE_DOCS],
    ["keys", "create", "widget"],
    ["ask", "acme", "How do I set up SCIM provisioning?"],
    ["gaps", "list", "acme"],
  ])
    await place.run(...words);
}, PROGRAMS_MS);
afterAll(() => place.dispose());

/** Runs a command on a data directory that it cannot write. */
async function run(data: string, ...words: string[]) {
  const program = [...PROGRAM, ...words, "--data", data];
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const child = Bun.spawn(isRoot ? ["unshare", "-m", "sh", "-c", script, data, ...program] : program, {
    cwd: place.folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, OLLAMA_HOST: NO_OLLAMA },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return ended(child);
}

/** A copy of the data directory in a state of its own, which cannot be written where no mount sees to that. */
function copyOf(name: string, files = ["docent.db", "docent.db-wal", "docent.db-shm"]): string {
  const data = join(place.folder, name);
  const from = join(place.folder, "docent-data");
  mkdirSync(data);
  for (const file of readdirSync(from).filter((each) => files.includes(each)))
    copyFileSync(join(from, file), join(data, file));
  if (readdirSync(from).includes("lib")) cpSync(join(from, "lib"), join(data, "lib"), { recursive: true });
  if (!isRoot) {
    for (const file of readdirSync(data)) chmodSync(join(data, file), 0o500);
    chmodSync(data, 0o500);
  }
  return data;
}

const READING = [
  ["sites", "list"],
  ["orgs", "list"],
  ["keys", "list"],
  ["admin-keys", "list"],
  ["members", "list"],
  ["sources", "list", "acme"],
  ["sources", "ledger", "acme", "1"],
  ["generations", "list", "acme"],
  ["answers", "list", "acme"],
  ["gaps", "list", "acme"],
  ["export", "acme"],
  ["search", "acme", "retention"],
  ["backup", "saved.db"],
  ["doctor"],
];

describe.skipIf(isRoot && !canMount)("a data directory that cannot be written", () => {
  test(
    "is listed, searched, exported and saved",
    async () => {
      const data = copyOf("closed");
      for (const words of READING) {
        const { code, err } = await run(data, ...words, "--json");
        expect([words.join(" "), code, err]).toEqual([words.join(" "), 0, ""]);
      }
      expect(JSON.parse((await run(data, "search", "acme", "retention", "--json")).out)[0].path).toBe(
        "guide/configure",
      );
      expect((await run(data, "export", "acme")).out).toContain("SCIM");
      expect((await run(data, "doctor")).out).toContain("warn  data directory:");
      expect((await place.run("restore", "saved.db", "--data", "restored")).code).toBe(0);
    },
    PROGRAMS_MS,
  );

  test(
    "is asked, and the command says that the answer is not stored",
    async () => {
      const data = copyOf("asked");
      const before = readdirSync(data).sort();
      const { code, out, err } = await run(data, "ask", "acme", "How is Acme installed?");
      expect([code, out]).toEqual([0, expect.stringContaining("[1]")]);
      expect(err).toContain("answers are not stored");
      expect(err).toContain("The data directory cannot be written");
      expect(readdirSync(data).sort()).toEqual(before);
    },
    PROGRAMS_MS,
  );

  test(
    "is not changed, and says why it cannot be",
    async () => {
      const data = copyOf("unchanged");
      const before = readdirSync(data).sort();
      for (const words of [
        ["sites", "add", "other"],
        ["keys", "create"],
        ["ingest", "acme", FIXTURE_DOCS],
        ["serve", "--port", "0"],
      ]) {
        const { code, err } = await run(data, ...words);
        expect([words.join(" "), code]).toEqual([words.join(" "), 1]);
        expect(err).toMatch(/^ {2}→ .*(cannot|can) be written/m);
        expect(err).not.toMatch(/^\s+at /m);
      }
      expect(readdirSync(data).sort()).toEqual(before);
    },
    PROGRAMS_MS,
  );

  test(
    "is read as it is now where a server of another account has it",
    async () => {
      const server = await place.serve();
      expect((await place.run("sites", "add", "new")).code).toBe(0);
      const data = join(place.folder, "docent-data");
      // With a mount it is the server's own directory; otherwise a picture of it, with its log and the index of that.
      const { code, out, err } = await run(isRoot ? data : copyOf("live"), "sites", "list", "--json");
      expect([code, err]).toEqual([0, ""]);
      expect(JSON.parse(out).map(({ domain }: { domain: string }) => domain)).toEqual(["acme", "new"]);
      server.child.kill("SIGTERM");
      await server.child.exited;
    },
    PROGRAMS_MS,
  );
});
