import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { FIXTURE_DOCS, NO_OLLAMA, question, textOf } from "../helpers/docent.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../helpers/program.ts";

const COMMANDS = await loadCommands();

let place: Workplace;
beforeAll(() => {
  place = createWorkplace();
  cpSync(FIXTURE_DOCS, join(place.folder, "docs"), { recursive: true });
});
afterAll(() => place.dispose());

const ok = async (...words: string[]) => {
  const ran = await place.run(...words);
  expect(ran.code, ran.err).toBe(0);
  return ran;
};

describe("from an empty folder to an answer", () => {
  let key = "";

  test("a site, its pages and a key are made", async () => {
    expect((await ok("sites", "add", "acme", "--url", "https://docs.acme.example")).out).toContain(
      "Added acme.",
    );
    expect((await ok("ingest", "acme", "docs")).out).toContain("4 added, 0 changed, 0 removed");
    key = (await ok("keys", "create", "--site", "acme")).out.trim();
    expect(key).toMatch(/^docent_dsc_[A-Za-z0-9]{33}$/);
  });

  test("reading the same folder again changes nothing and says so", async () => {
    expect((await ok("ingest", "acme", "./docs/")).out).toContain(
      "Nothing has changed: 4 pages, still generation 1",
    );
  });

  test("search prints the search operation's array", async () => {
    const found = JSON.parse((await ok("search", "acme", "retention", "--json")).out);
    expect(found[0]).toMatchObject({
      path: "guide/configure",
      metadata: { title: "Configuration", href: "/guide/configure#retention" },
    });
  });

  test("ask answers with links, and quotes where no model is", async () => {
    const { out } = await ok("ask", "acme", "How do I install Acme on Linux?");
    expect(out).toContain("sh install.sh --prefix /opt/acme");
    expect(out).toContain("https://docs.acme.example/guide/install#linux");
    expect(out).toContain("[quoted from the docs]");
  });

  test("ask says that a courtesy comes from no model and from no docs", async () => {
    expect((await ok("ask", "acme", "hello")).out).toContain("[Docent's own words]");
  });

  test("serve answers over HTTP, and every other command works beside it", async () => {
    const server = await place.serve();
    const ask = () =>
      fetch(`${server.url}/v1/assistant/acme/message`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(question("Which feature was added today?")),
      });
    expect(textOf(await (await ask()).text())).toBe("The documentation doesn't cover this.");
    writeFileSync(
      join(place.folder, "docs/news.md"),
      "# News\n\nWhich feature was added today? The feature added today is teleportation.\n",
    );
    await ok("ingest", "acme", "docs");
    expect(textOf(await (await ask()).text())).toContain("teleportation");
    const long = await fetch(`${server.url}/health/live`, { headers: { "x-long": "x".repeat(40_000) } });
    // From source, Bun refuses it before we see it.
    if (process.env["DOCENT_BINARY"] !== undefined)
      expect(await long.json()).toMatchObject({ code: "headers_too_large" });
    expect(long.status).toBe(431);

    const port = new URL(server.url).port;
    expect((await ok("health", "--port", port)).out).toBe("ready\n");
    await ok("backup", "while-serving.db");
    expect((await ok("doctor")).out).toContain("vectors: builtin, 256 dimensions");
    expect(server.err()).toContain("Vectors       builtin\n");

    const second = await place.run("serve", "--port", "0");
    expect(second.code).toBe(1);
    expect(second.err).toContain("A server is using the data directory");
    const restoring = await place.run("restore", "while-serving.db");
    expect(restoring.code).toBe(1);

    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
    const health = await place.run("health", "--port", port);
    expect(health.code).toBe(1);
  });

  test("a backup brings back what was there, and what it replaced is kept", async () => {
    await ok("backup", "copy.db");
    await ok("sites", "remove", "acme", "--yes");
    expect((await ok("sites", "list", "--json")).out.trim()).toBe("[]");
    const { out } = await ok("restore", "copy.db");
    const kept = /is in (.+)\.\n/.exec(out)?.[1] ?? "";
    expect(existsSync(kept)).toBe(true);
    expect(JSON.parse((await ok("sites", "list", "--json")).out)).toMatchObject([
      { domain: "acme", pages: 5 },
    ]);
    expect((await ok("search", "acme", "teleportation", "--json")).out).toContain("news");
  });

  test("what was deleted is gone from the index", async () => {
    rmSync(join(place.folder, "docs/news.md"));
    expect((await ok("ingest", "acme", "docs")).out).toContain("0 added, 0 changed, 1 removed");
    expect((await ok("search", "acme", "teleportation", "--json")).out.trim()).toBe("[]");
  });

  test("nobody else may read what is stored, nor a backup", () => {
    for (const file of ["docent-data", "docent-data/docent.db", "docent-data/backups", "copy.db"]) {
      expect(statSync(join(place.folder, file)).mode & 0o077, file).toBe(0);
    }
  });

  test("everything is in the one data directory", () => {
    expect(readdirSync(place.folder).sort()).toEqual(["copy.db", "docent-data", "docs", "while-serving.db"]);
    const database = new Database(join(place.folder, "docent-data/docent.db"));
    expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
  });
});

describe("what goes wrong says what to do, and exits with 1", () => {
  const CASES: [words: string[], says: string][] = [
    [["frobnicate"], "There is no command frobnicate."],
    [["sites"], "Did you mean sites add, sites list"],
    [["sites", "add"], "docent sites add <domain>"],
    [["sites", "add", "Not A Domain"], "1 to 63 of the characters a-z"],
    [["sites", "add", "x", "--url", "nonsense"], "must be the address of a site"],
    [["sites", "set", "nobody", "--name", "x"], "There is no site nobody in"],
    [["sites", "remove", "acme"], "--yes"],
    [["ingest", "acme", "nowhere"], "There is no folder"],
    [["ingest", "nobody", "docs"], "Sites there: acme"],
    [["ask", "acmee", "how?"], "Did you mean acme?"],
    [["sites", "list", "--data", "nowhere"], "There is no Docent data in"],
    [["keys", "create", "--expires", "soon"], "--expires takes a number of days"],
    [["keys", "create", "--address", "300.1.1.1"], "is not an address or a network"],
    [["keys", "revoke", "nothing"], "There is no key nothing."],
    [["search", "acme"], "docent search <domain> <query>"],
    [["serve", "--port", "many"], "--port must be a whole number from 0 to 65535"],
    [["serve", "--nonsense"], "serve has no option --nonsense."],
    [["serve", "--prot", "80"], "Did you mean --port?"],
    [["restore", "nowhere.db"], "There is no file"],
    [["restore", "docs/index.md"], "is not a sound Docent backup"],
    [["orgs", "add", "default"], "There is an organization default already."],
  ];
  for (const [words, says] of CASES) {
    test(words.join(" "), async () => {
      const { code, out, err } = await place.run(...words);
      expect(code).toBe(1);
      expect(out).toBe("");
      expect(err).toContain(says);
      expect(err).not.toMatch(/^\s+at /m);
    });
  }

  test("every wrong setting is named at once", async () => {
    const other = createWorkplace({
      DOCENT_PORT: "x",
      DOCENT_FALLBACK: "maybe",
      DOCENT_READER_SECRET_FILE: "/nowhere",
    });
    const { code, err } = await other.run("config");
    expect(code).toBe(1);
    for (const name of ["DOCENT_PORT", "DOCENT_FALLBACK", "DOCENT_READER_SECRET_FILE"])
      expect(err).toContain(name);
    await other.dispose();
  });

  test("a stack trace is shown with --debug", async () => {
    const { err } = await place.run("ingest", "acme", "nowhere", "--debug");
    expect(err).toMatch(/^\s+at /m);
  });
});

describe("help", () => {
  test("lists every command where all are asked for, and what comes first without a command and with --help", async () => {
    const { out } = await ok("help", "all");
    for (const { name, summary } of COMMANDS) {
      expect(out).toContain(name);
      expect(out).toContain(summary);
    }
    const [first, ...others] = await Promise.all([ok(), ok("--help"), ok("help")]);
    for (const other of others) expect(other.out).toBe(first.out);
    expect(first.out).toMatch(/^ {2}try <place>/m);
  });
  for (const { name, options = {} } of COMMANDS) {
    test(`${name} --help shows its options`, async () => {
      const { out } = await ok(...name.split(" "), "--help");
      for (const option of Object.keys(options)) expect(out).toMatch(new RegExp(`--${option}\\b.*\\S{3}`));
    });
  }
  test("--version says version and commit", async () => {
    expect((await ok("--version")).out).toMatch(/^docent \d+\.\d+\.\d+ \(.+\)\n$/);
  });
});

test("licenses tells Docent's own, and those of what it carries", async () => {
  const { out } = await ok("licenses");
  expect(out).toStartWith("MIT License");
  expect(out).toMatch(/^react-dom \d/m);
  expect(out).toContain("TERMS AND CONDITIONS FOR USE");
});

test("config shows every value and where it comes from, and hides secrets", async () => {
  const other = createWorkplace({ DOCENT_READER_SECRET: "hunter2", DOCENT_PORT: "5000" });
  const { out } = await other.run("config", "--json", "--host", "::1");
  expect(out).not.toContain("hunter2");
  const settings: { name: string; value: unknown; origin: string }[] = JSON.parse(out);
  const get = (name: string) => settings.find((setting) => setting.name === name);
  expect(get("port")).toMatchObject({ value: 5000, origin: "environment" });
  expect(get("host")).toMatchObject({ value: "::1", origin: "flag" });
  expect(get("data")).toMatchObject({ value: "./docent-data", origin: "default" });
  await other.dispose();
});

describe("a terminal that is closed", () => {
  test("stops the server in order", async () => {
    const server = await place.serve("--data", "hangup");
    server.child.kill("SIGHUP");
    expect(await server.child.exited).toBe(0);
    expect(server.err()).toContain("Stopping");
  });

  test.skipIf(process.platform !== "linux")("does not stop one that was started to outlive it", async () => {
    const words = PROGRAM.map((word) => `'${word}'`).join(" ");
    const script = `trap '' HUP; exec ${words} serve --port 0 --data hangup --json`;
    const child = Bun.spawn(["sh", "-c", script], {
      cwd: place.folder,
      env: { PATH: process.env["PATH"] ?? "", OLLAMA_HOST: NO_OLLAMA },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const first = await child.stdout.getReader().read();
    const { url } = JSON.parse(new TextDecoder().decode(first.value));
    child.kill("SIGHUP");
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

test("serve --demo serves Docent's own documentation, and the line it prints gets a cited answer", async () => {
  const server = await place.serve("--demo", "--data", "demo-data");
  const line = /^curl -N (\S+) -H '([^']+)' -H '([^']+)' -d '([^']+)'$/m.exec(
    await untilSaid(server.err, /^curl .*$/m),
  );
  const [, url = "", ...rest] = line ?? [];
  const [authorization = "", contentType = "", body = ""] = rest;
  const headers = Object.fromEntries(
    [authorization, contentType].map((header) => header.split(": ") as [string, string]),
  );
  const reply = await fetch(url, { method: "POST", headers, body });
  const wire = await reply.text();
  expect(reply.status, wire).toBe(200);
  expect(wire).toContain('"outcome":"quoted"');
  const cited = /"type":"source-url"[^\n]*"url":"([^"]+\/sites\/docent\/[^"]+)"/.exec(wire)?.[1] ?? "";
  expect((await fetch(cited)).status).toBe(200);
  server.child.kill("SIGTERM");
  await server.child.exited;
});

async function untilSaid(read: () => string, pattern: RegExp): Promise<string> {
  while (!pattern.test(read())) await Bun.sleep(10);
  return pattern.exec(read())?.[0] ?? "";
}
