import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { everyCommand, prepareEverything } from "../helpers/every-command.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";

const folder = mkdtempSync(join(tmpdir(), "docent-audit-"));
const environment = {
  DOCENT_DATA: join(folder, "data"),
  DOCENT_CONNECT_SECONDS: "1",
  DOCENT_PRELOAD: "off",
};
beforeAll(() => prepareEverything(folder, environment));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What each command leaves in the log. One that is not here only shows something, or works on what is derived from the rest. */
const LEAVES: Record<string, string[]> = {
  "sites add": ["site.added"],
  "sites set": ["site.changed"],
  "sites remove": ["site.removed"],
  "reader-secrets create": ["reader-secret.created"],
  "orgs add": ["organization.added"],
  "keys create": ["assistant-key.created"],
  "keys revoke": ["assistant-key.revoked"],
  "admin-keys create": ["admin-key.created"],
  "admin-keys revoke": ["admin-key.revoked"],
  "members invite": ["member.invited"],
  "members link": ["member.link-made"],
  "members remove": ["member.removed"],
  "sources add": ["source.added", "source.read", "source.added"],
  "sources run": ["source.read"],
  "sources schedule": ["source.changed"],
  "sources set": ["source.changed"],
  "sources remove": ["source.removed"],
  "generations rollback": ["generation.rolled-back"],
  "enrichment import": ["enrichment.imported"],
  "enrichment remove": ["enrichment.removed"],
  "golden add": ["golden.added"],
  "golden import": ["golden.added", "golden.added"],
  "notices add": ["notice-destination.added"],
  "answers add": ["answer.written"],
  "answers remove": ["answer.deleted"],
  export: ["conversations.exported", "conversations.exported"],
  "threads delete": ["conversations.deleted"],
  backup: isShared ? [] : ["backup.taken"],
  "bundle make": isShared ? [] : ["backup.taken"],
};
/** Those that change something, and why they leave nothing. */
const SILENT: Record<string, string> = {
  ingest: "read nothing new here: the source and its pages are those that were there",
  "reader-secrets end": "ends nothing here, whose id is not known: the test of it is in sites.test.ts",
  "golden remove": "removes nothing here, whose id is not known: the test of it is in golden.test.ts",
  "notices set":
    "changes nothing here, whose id is not known: the test of it is in test/running/app/notices.test.ts",
  "notices remove":
    "removes nothing here, whose id is not known: the test of it is in test/doors/audit.test.ts",
  "notices try": "sends a sample, and changes nothing",
  "golden run": "asks, and changes nothing",
  "golden checks": "shows what runs have been asked",
  "generations report": "shows what a generation changed",
  "gaps set": "marks owners' own list of work",
  "enrichment measure": "measures, and changes nothing that readers get",
  "index complete": "makes what is derived from the pages",
  "index repair": "makes what is derived from the pages",
  "service install": "is the machine's, which may have no data directory yet",
  "service uninstall": "is the machine's, and leaves the data directory alone",
  move: "copies the log with all else",
  "bundle key": "writes two files, and opens nothing",
  "bundle install": "leaves its entry in what was installed: the test of it is below",
  "bundle recover": "puts back what was there, with its log",
  restore: "leaves its entry in what was restored: the test of it is below",
  serve: "works for those who ask it",
  try: "has a data directory of its own, unless it is told to keep the site",
  ask: "asks as a reader does",
  mcp: "asks as an agent does",
  eval: "measures",
  check: "reads a folder, and opens no data directory",
};
const READS =
  /^(?:sites|reader-secrets|orgs|keys|admin-keys|members|sources|generations|golden|notices|answers|gaps) list$|^(?:notices now|sources ledger|sites fidelity|backup verify|enrichment show|enrichment export|answers show|search|audit|doctor|config|health|completions|man|licenses|service status|bundle show|bundle verify)$/;

const entrySchema = z.object({
  kind: z.string(),
  actor: z.object({ kind: z.string() }),
  site: z.string().nullable(),
  subject: z.object({ name: z.string().nullable() }),
});

async function entries(...words: string[]) {
  const { code, out, err } = await runInProcess(["audit", "--json", ...words], { environment });
  expect([code, err]).toEqual([0, ""]);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => entrySchema.parse(JSON.parse(line)));
}

describe("the audit log", () => {
  const commands = Object.entries(everyCommand(folder));

  test("every command leaves an entry, or only reads, or has a reason why not", () => {
    const others = commands
      .map(([name]) => name)
      .filter((name) => !(name in LEAVES) && !(name in SILENT) && !READS.test(name));
    expect(others).toEqual([]);
  });

  for (const [name, invocations] of commands) {
    const kinds = LEAVES[name] ?? [];
    test(`docent ${name} leaves ${kinds.length === 0 ? "no entry" : kinds.join(", ")}`, async () => {
      const before = (await entries()).length;
      for (const { words, input = "", until } of invocations)
        await runInProcess([...name.split(" "), ...words], {
          environment,
          input,
          ...(until ? { until } : {}),
        });
      const left = (await entries()).slice(before);
      expect(left.map(({ kind }) => kind)).toEqual(kinds);
      expect(left.every(({ actor }) => actor.kind === "command-line")).toBe(true);
    });
  }

  test("what was restored says so at its end, behind what it had", async () => {
    if (isShared) return;
    const restored = await entries("--data", join(folder, "restored"));
    expect(restored.at(-1)).toMatchObject({
      kind: "backup.restored",
      subject: { name: join(folder, "copy.db") },
    });
    expect(restored.length).toBeGreaterThan(20);
  });

  test("it is narrowed by time, kind and who it was, and what it does not know is refused", async () => {
    expect(await entries("--until", "2001-01-01")).toEqual([]);
    expect((await entries("--since", "2001-01-01")).length).toBe((await entries()).length);
    const sites = await entries("--kind", "site.added", "--kind", "site.removed");
    expect(new Set(sites.map(({ kind }) => kind))).toEqual(new Set(["site.added", "site.removed"]));
    expect(await entries("--actor", "server")).toEqual([]);
    for (const words of [
      ["--since", "yesterday"],
      ["--kind", "site.painted"],
    ]) {
      const { code, err } = await runInProcess(["audit", ...words], { environment });
      expect([code, err]).toEqual([1, expect.stringContaining(words[1] ?? "")]);
    }
  });

  test.skipIf(isShared)(
    "a bundle that was installed says so at the end of the log that it brought",
    async () => {
      const installed = await entries("--data", join(folder, "bundled"));
      expect(installed.at(-1)).toMatchObject({
        kind: "backup.restored",
        subject: { name: join(folder, "carried") },
      });
      expect(installed.length).toBeGreaterThan(20);
    },
  );

  test("a command that a server starts for work of its own is the server's, and takes no backup of its own", async () => {
    const ran = await runInProcess(["for-server", "sites", "add", "by-server"], { environment });
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect((await entries("--actor", "server")).map(({ kind, site }) => [kind, site])).toEqual([
      ["site.added", "by-server"],
    ]);
    if (isShared) return;
    const count = (await entries("--kind", "backup.taken")).length;
    expect(
      (await runInProcess(["for-server", "backup", join(folder, "second.db")], { environment })).code,
    ).toBe(0);
    expect((await entries("--kind", "backup.taken")).length).toBe(count);
  });

  test("for a person it is one line for each entry", async () => {
    const { out } = await runInProcess(["audit", "--kind", "member.invited"], { environment });
    expect(out).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}command-line {2}member\.invited {2}Ada {2}role=viewer\n/,
    );
  });
});
