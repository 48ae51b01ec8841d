import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openParts } from "../../src/running/app.ts";
import { databaseOf } from "./database-of.ts";
import { FIXTURE_DOCS, testSurroundings } from "./docent.ts";
import { runInProcess } from "./run-in-process.ts";
import { isShared } from "./shared-database.ts";

/** One command line of a command, on a data directory that `prepareEverything` made. */
export interface Invocation {
  words: string[];
  /** 0 unless given. */
  code?: number;
  input?: string;
  /** Stops it when this has been printed, for what would go on. */
  until?: RegExp;
}

/**
 * Every command of the program, in an order in which each finds what it works on. A command that is new has to be added
 * here: what holds for all of them is tested on it then.
 */
export function everyCommand(folder: string): Record<string, Invocation[]> {
  const file = (name: string) => join(folder, name);
  const one = (...words: string[]): Invocation[] => [{ words }];
  const failing = (...words: string[]): Invocation[] => [{ words, code: 1 }];
  return {
    try: [{ words: [FIXTURE_DOCS, "How do I install Acme on Linux?"] }],
    "sites add": one("another"),
    "sites fidelity": one("acme"),
    "sites list": one(),
    "sites set": one("acme", "--anchors", "sphinx"),
    "reader-secrets create": one("acme"),
    "reader-secrets list": one("acme"),
    "reader-secrets end": [{ words: ["acme", "none"], code: 1 }],
    "orgs add": one("second"),
    "orgs list": one(),
    "keys create": one("one more"),
    "keys list": one(),
    "keys revoke": one("one more"),
    "admin-keys create": one("automation"),
    "admin-keys list": one(),
    "admin-keys revoke": one("automation"),
    "members list": one(),
    "members invite": one("Grace"),
    "members link": one("Grace"),
    "members remove": one("Grace"),
    "sources add": [{ words: ["another", FIXTURE_DOCS] }, { words: ["another", folder, "--later"] }],
    "sources list": one("acme"),
    "sources ledger": one("acme", "1"),
    "sources run": [{ words: ["acme", "1"] }, { words: ["acme"], code: 1 }],
    "sources set": one("acme", "2", "--published", "https://docs.example.com/"),
    "sources schedule": one("acme", "2", "6h"),
    "sources remove": [{ words: ["acme", "2"], code: 1 }, { words: ["acme", "2", "--yes"] }],
    ingest: one("acme", FIXTURE_DOCS),
    "generations list": one("acme"),
    "generations report": one("acme"),
    "generations rollback": one("acme"),
    "enrichment show": one("acme"),
    "enrichment measure": one("acme"),
    "enrichment import": one("acme", file("questions-of-passages.jsonl")),
    "enrichment export": [{ words: ["acme"] }, { words: ["acme", "--missing"] }],
    "enrichment remove": one("acme"),
    "index complete": one("acme"),
    "index repair": one("acme"),
    "golden list": one("acme"),
    "golden add": one("acme", "How do I get Acme on Linux?", "--page", "guide/install"),
    "golden import": [{ words: ["acme", file("questions.jsonl")] }, { words: ["acme", "--from", "liked"] }],
    "golden remove": failing("acme", "none"),
    "golden run": one("acme"),
    "golden checks": one("acme"),
    "answers list": one("acme"),
    "answers show": one("acme", "by-hand"),
    "answers add": one("acme", file("answer.md"), "--name", "second"),
    "answers remove": one("acme", "second"),
    "gaps list": one("acme"),
    "gaps set": [{ words: ["acme", "none", "open"], code: 1 }],
    "notices list": one(),
    "notices add": [
      {
        words: [
          "ops",
          "chat",
          "https://hooks.acme.example/x",
          "--kind",
          "source-failing",
          "--hand-over-hosts",
          "hooks.acme.example",
        ],
      },
    ],
    "notices set": failing("none", "--name", "others"),
    "notices remove": failing("none"),
    "notices try": failing("none"),
    "notices now": one(),
    export: [{ words: ["acme"] }, { words: ["acme", "--format", "jsonl"] }],
    "threads delete": one("acme", "--reader", "nobody"),
    search: one("acme", "retention"),
    ask: one("acme", "How do I install Acme on Linux?"),
    mcp: [{ words: ["acme"], input: MCP_LINES }],
    eval: one(file("questions.jsonl"), "--site", "acme"),
    check: one(FIXTURE_DOCS, "--fail-on", "never"),
    audit: one(),
    backup: isShared ? failing(file("copy.db")) : one(file("copy.db")),
    "backup verify": isShared ? failing(file("copy.db")) : one(file("copy.db")),
    doctor: [{ words: [] }, { words: ["--self-test"] }],
    config: one(),
    health: [{ words: ["--port", "1"], code: 1 }],
    "service install": one("--root", file("machine"), "--port", "8080"),
    "service status": one("--root", file("machine")),
    "service uninstall": [
      { words: ["--root", file("machine")] },
      { words: ["--root", file("machine")], code: 1 },
    ],
    completions: [{ words: ["bash"] }, { words: ["tcsh"], code: 1 }],
    man: one(),
    "bundle key": one(file("ours")),
    "bundle make": one(
      file("carried"),
      "--without-binary",
      "--sign",
      file("ours.pem"),
      ...(isShared ? ["--without-database"] : []),
    ),
    "bundle show": one(file("carried")),
    "bundle verify": one(file("carried"), "--key", file("ours.pub.pem")),
    "bundle install": one(
      file("carried"),
      "--unsigned",
      ...(isShared ? ["--keep-database"] : []),
      "--data",
      file("bundled"),
    ),
    "bundle recover": one("--data", file("bundled")),
    licenses: one(),
    serve: [{ words: ["--port", "0"], until: /Sites|"sites"/ }],
    "sites remove": [{ words: ["another"], code: 1 }, { words: ["another", "--yes"] }],
    // Into another directory: to SQLite, this process has the one of all the commands before still open.
    move: failing("--to", isShared ? "postgres://localhost/elsewhere" : file("elsewhere")),
    restore: isShared ? failing(file("copy.db")) : one(file("copy.db"), "--data", file("restored")),
  };
}

const MCP_LINES = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "search_docs", arguments: { query: "retention" } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

/** A site with pages, sources, questions, a gap and all else that commands show. */
export async function prepareEverything(folder: string, environment: Record<string, string>): Promise<void> {
  const answer = "---\nquestions:\n  - Who made Acme?\n---\n\nPeople did.\n";
  writeFileSync(join(folder, "answer.md"), answer);
  writeFileSync(
    join(folder, "questions.jsonl"),
    '{"question": "How long are logs kept?", "expected": "guide/install"}\n',
  );
  writeFileSync(
    join(folder, "questions-of-passages.jsonl"),
    '{"page": "guide/install", "headings": ["Install Acme", "Linux"], "questions": ["How do I get it onto my machine?"]}\n',
  );
  const gone = join(folder, "gone");
  mkdirSync(gone);
  for (const words of [
    ["sites", "add", "acme", "--url", "https://docs.acme.example"],
    ["ingest", "acme", FIXTURE_DOCS],
    ["sources", "add", "acme", gone, "--kind", "folder", "--later"],
    ["answers", "add", "acme", join(folder, "answer.md"), "--name", "by-hand"],
    ["golden", "add", "acme", "Where are logs kept?", "--page", "guide/install"],
    ["keys", "create", "widget"],
    ["admin-keys", "create", "metrics"],
    ["members", "invite", "Ada"],
    ["ask", "acme", "How do I set up SCIM provisioning?"],
    ["ask", "acme", "How do I install Acme on Linux?"],
  ]) {
    const { code, err } = await runInProcess(words, { environment });
    if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
  }
  rmSync(gone, { recursive: true });
}

/** Puts text behind everything that others than the operator may have written into the database. */
export async function addEverywhere(directory: string, text: string): Promise<void> {
  const parts = await openParts(testSurroundings(directory));
  const database = databaseOf({ parts });
  const run = (sql: string) => database.query(sql).run(text);
  try {
    for (const [table, column] of [
      ["organizations", "name"] as const,
      ["sites", "name"] as const,
      ["sites", "url"] as const,
      ["assistant_keys", "name"] as const,
      ["admin_keys", "name"] as const,
      ["members", "name"] as const,
      ["pages", "title"] as const,
      ["pages", "markdown"] as const,
      ["passages", "text"] as const,
      ["passages", "markdown"] as const,
      ["passages", "anchor"] as const,
      ["ledger", "detail"] as const,
      ["turns", "question"] as const,
      ["turns", "answer"] as const,
      ["turns", "searched"] as const,
      ["source_runs", "message"] as const,
      ["curated_answers", "markdown"] as const,
      ["golden_questions", "question"] as const,
    ])
      run(`UPDATE ${table} SET ${column} = coalesce(${column}, '') || ?`);
    run("UPDATE sources SET location = location || ? WHERE id > 1");
    run("UPDATE ledger SET location = location || ?");
    run("UPDATE gap_questions SET nearest_path = 'guide/' || ?");
    // What is in the audit log stays as it is: another entry is as one of those.
    database
      .query(
        "INSERT INTO audit_entries SELECT 'evil', at, kind, actor_kind, actor_id, ?, organizations_json, ?, subject_id, ?, details_json FROM audit_entries LIMIT 1",
      )
      .run(text, text, text);
    database.query("UPDATE passages SET headings_json = ?").run(JSON.stringify([text]));
  } finally {
    parts.close();
  }
}
