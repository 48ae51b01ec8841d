import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURE_DOCS } from "../helpers/docent.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";
import { until } from "../helpers/until.ts";

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  cpSync(FIXTURE_DOCS, join(place.folder, "docs"), { recursive: true });
  await ok("sites", "add", "acme");
});
afterAll(() => place.dispose());

const ok = async (...words: string[]) => {
  const ran = await place.run(...words);
  expect(ran.code, ran.err).toBe(0);
  return ran;
};

const json = async (...words: string[]) => JSON.parse((await ok(...words, "--json")).out);

interface Ledger {
  lastRun: { outcome: string | null } | null;
  entries: { location: string; decision: string; reason: string | null }[];
}

const ledgerOf = (number: string, ...words: string[]): Promise<Ledger> =>
  json("sources", "ledger", "acme", number, ...words);

/** The pages that search finds with that word in them: it proposes what is near as well. */
async function found(text: string): Promise<string[]> {
  const hits: { path: string; content: string }[] = await json("search", "acme", text);
  return hits.filter(({ content }) => content.includes(text)).map(({ path }) => path);
}

function write(file: string, text: string): void {
  mkdirSync(join(place.folder, file, ".."), { recursive: true });
  writeFileSync(join(place.folder, file), text);
}

describe("sources", () => {
  test("are added and read, and listed with how that went", async () => {
    expect((await ok("sources", "list", "acme")).out + (await ok("sources", "list", "acme")).err).toContain(
      "docent sources add acme <place>",
    );
    expect((await ok("sources", "add", "acme", "docs")).out).toContain("4 added, 0 changed, 0 removed");
    write("more/extra.md", "# Extra\n\nThe zebra runs.\n");
    const later = await ok("sources", "add", "acme", "more", "--later", "--every", "6h", "--version", "2");
    expect(later.out).toContain("docent sources run acme 2");
    expect(await json("sources", "list", "acme")).toMatchObject([
      {
        number: 1,
        kind: "folder",
        place: expect.stringMatching(/\/docs$/),
        everyMs: null,
        nextRunAt: null,
        lastRun: { outcome: "published", generation: 1, counts: { added: 4 } },
      },
      { number: 2, version: "2", everyMs: 21_600_000, nextRunAt: expect.any(String), lastRun: null },
    ]);
    const { out } = await ok("sources", "list", "acme");
    expect(out).toContain("6h");
    expect(out).toMatch(/published/);
  });

  test("are run again, one or all", async () => {
    expect((await ok("sources", "run", "acme", "2")).out).toContain("1 added");
    const { out } = await ok("sources", "run", "acme");
    expect(out.match(/Nothing has changed/g)).toHaveLength(2);
    expect(await found("zebra")).toEqual(["extra"]);
  });

  test("have a ledger that says what was decided, and why", async () => {
    write("docs/hidden.md", "---\nhidden: true\n---\n\nNobody finds this.\n");
    rmSync(join(place.folder, "docs/guide/configure.md"));
    await ok("sources", "run", "acme", "1");
    const { lastRun, entries } = await ledgerOf("1");
    expect(lastRun).toMatchObject({ outcome: "published", counts: { added: 1, removed: 1 } });
    const of = (location: string) => entries.find((entry) => entry.location === location);
    expect(of("hidden.md")).toMatchObject({ decision: "added", reason: "hidden" });
    expect(of("guide/configure.md")).toMatchObject({ decision: "removed", reason: null });
    expect(of("index.md")).toMatchObject({ decision: "unchanged" });
    const some = await ledgerOf("1", "--decision", "added", "--decision", "removed");
    expect(some.entries.map(({ decision }) => decision).sort()).toEqual(["added", "removed"]);
    const shown = await ok("sources", "ledger", "acme", "1");
    expect(shown.out).toMatch(/removed.*guide\/configure\.md/);
    expect(shown.err).toBe("");
  });

  test("are put on a schedule and taken off it, where they are not on this machine too", async () => {
    write("elsewhere/page.md", "# A page\n");
    await ok("sources", "add", "acme", "elsewhere", "--every", "6h");
    rmSync(join(place.folder, "elsewhere"), { recursive: true });
    const failed = await place.run("sources", "run", "acme", "3");
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringContaining("sources schedule <domain> <number> never"),
    ]);
    const doctor = (await ok("doctor")).out;
    expect(doctor).toMatch(/warn +source 3 of acme: .*elsewhere could not be read \(20.*There is no folder/);
    expect(doctor).toContain("docent sources schedule acme 3 never");
    expect(doctor).not.toContain("source 1 of acme");
    const off = await ok("sources", "schedule", "acme", "3", "never");
    expect(off.out).toContain("is read on demand alone. Readers see what was read before.");
    expect(await json("sources", "list", "acme")).toContainEqual(
      expect.objectContaining({ number: 3, everyMs: null }),
    );
    expect((await ok("sources", "schedule", "acme", "3", "2d")).out).toContain("every 2d");
    const wrong = await place.run("sources", "schedule", "acme", "3", "often");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("such as 30m, 6h or 1d, not often")]);
    await ok("sources", "remove", "acme", "3", "--yes");
  });

  test("are removed with their pages, when that is meant", async () => {
    const asked = await place.run("sources", "remove", "acme", "2");
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining("sources remove acme 2 --yes")]);
    expect((await ok("sources", "remove", "acme", "2", "--yes")).out).toContain("1 page");
    expect(await json("sources", "list", "acme")).toHaveLength(1);
    expect(await found("zebra")).toEqual([]);
  });
});

describe("generations", () => {
  test("are listed, and gone back to", async () => {
    const before: { number: number; isVisible: boolean }[] = await json("generations", "list", "acme");
    expect(before.map(({ isVisible }) => isVisible)).toEqual([true, false, false]);
    const now = before[0]?.number ?? 0;
    expect((await ok("generations", "list", "acme")).out).toContain(`${now} (now)`);
    expect((await ok("generations", "rollback", "acme")).out).toContain(
      `shows generation ${now - 1} instead of ${now}`,
    );
    expect(await found("zebra")).toEqual(["extra"]);
    expect(await json("generations", "rollback", "acme", String(now))).toEqual({ from: now - 1, to: now });
    expect(await found("zebra")).toEqual([]);
  });
});

describe("a source on a schedule", () => {
  test("is read by the server, in a process of its own, and is due again later", async () => {
    write("timed/a.md", "# Timed\n\nThe lion sleeps.\n");
    const { number } = (await json("sources", "list", "acme")).at(-1);
    await ok("sources", "add", "acme", "timed", "--every", "1h");
    write("timed/b.md", "# News\n\nThe giraffe has come.\n");
    const database = new Database(join(place.folder, "docent-data/docent.db"));
    database.run("PRAGMA busy_timeout = 5000");
    const isDue = "SELECT count(*) AS n FROM sources WHERE next_run_at <= unixepoch() * 1000";
    database.run("UPDATE sources SET next_run_at = 1 WHERE every_ms IS NOT NULL");
    const server = await place.serve();
    await until(() => database.query<{ n: number }, []>(isDue).get()?.n === 0);
    database.close();
    expect(await found("giraffe")).toEqual(["b"]);
    await until(() => server.err().includes("a source was read on schedule"));
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
    const [timed] = (await json("sources", "list", "acme")).filter(
      (each: { number: number }) => each.number > number,
    );
    expect(timed).toMatchObject({
      everyMs: 3_600_000,
      lastRun: { outcome: "published", counts: { added: 1 } },
    });
    expect(Date.parse(timed.nextRunAt)).toBeGreaterThan(Date.now());
  });
});

/** As many as two processes read at the same time for a while. */
const PAGES = 30;

test("two processes may read two sources of one site at the same time; of one source only one may", async () => {
  for (let index = 0; index < PAGES; index++) {
    write(`left/page-${index}.md`, `# Left ${index}\n\nA porcupine, the one of number ${index}.\n`);
    write(`right/page-${index}.md`, `# Right ${index}\n\nA chinchilla, the one of number ${index}.\n`);
  }
  const [left, right] = await Promise.all([
    place.run("ingest", "acme", "left"),
    place.run("ingest", "acme", "right"),
  ]);
  expect([left.code, right.code], left.err + right.err).toEqual([0, 0]);
  expect(await found("porcupine")).toHaveLength(10);
  expect(await found("chinchilla")).toHaveLength(10);
  for (let index = 0; index < PAGES; index++)
    write(`left/page-${index}.md`, `# Left ${index}\n\nA capybara.\n`);
  const both = await Promise.all([place.run("ingest", "acme", "left"), place.run("ingest", "acme", "left")]);
  for (const { code, out, err } of both) {
    // The second may also come when the first has ended.
    if (code === 0) expect(out).toMatch(new RegExp(`${PAGES} changed|Nothing has changed`));
    else expect(err).toContain("is being ingested already");
  }
  expect(both.some(({ out }) => out.includes(`${PAGES} changed`))).toBe(true);
  for (const { number, place: where } of await json("sources", "list", "acme"))
    if (/(left|right)$/.test(where)) await ok("sources", "remove", "acme", String(number), "--yes");
});

describe("ingest --watch", () => {
  test("picks up a change, and ends in order when it is told to", async () => {
    write("watched/a.md", "# One\n\nThe walrus swims.\n");
    const child = place.spawn("ingest", "acme", "watched", "--watch");
    const said = collect(child.stderr);
    await until(() => said().includes("Watching"));
    // The folder is watched a moment after that was said: what changes in between is seen as well.
    write("watched/b.md", "# Two\n\nThe pelican flies.\n");
    await until(async () => (await found("pelican")).includes("b"));
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect((await json("sources", "list", "acme")).at(-1)).toMatchObject({
      lastRun: { outcome: "published" },
    });
  });

  test("prints a report on each line for a program, also of what another process read", async () => {
    for (let page = 0; page < 3; page++) write(`counted/${page}.md`, `# Page ${page}\n\nSome words.\n`);
    const child = place.spawn("ingest", "acme", "counted", "--watch", "--json");
    const printed = collect(child.stdout);
    const reports = () =>
      printed()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await until(() => reports().some(({ unchanged }) => unchanged === 3));
    write("counted/3.md", "# Page 3\n\nThe narwhal dives.\n");
    await until(() => reports().some(({ added }) => added === 1));
    for (let page = 4; page < PAGES; page++) write(`counted/${page}.md`, `# Page ${page}\n\nSome words.\n`);
    await until(() => reports().reduce((sum, { added }) => sum + added, 0) === PAGES);
    expect(reports()[0]).toMatchObject({ added: 3, unchanged: 0, incomplete: null });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("ends where its first run fails, which has said why, and leaves no source", async () => {
    mkdirSync(join(place.folder, "bare"));
    const { code, out, err } = await place.run("ingest", "acme", "bare", "--watch");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("There are no pages in");
    expect(err).not.toContain("Watching");
    const listed: { place: string }[] = await json("sources", "list", "acme");
    expect(listed.filter(({ place }) => place.endsWith("bare"))).toEqual([]);
  });

  test("of a place that is no folder says what does it instead", async () => {
    const paths = {
      "/pets": { get: { summary: "List pets", responses: { "200": { description: "Pets" } } } },
    };
    write("api.json", JSON.stringify({ openapi: "3.0.0", info: { title: "Api", version: "1" }, paths }));
    const { code, err } = await place.run("ingest", "acme", "api.json", "--watch");
    expect([code, err]).toEqual([1, expect.stringContaining("--every 1h")]);
  });
});

describe("what goes wrong says what to do, and exits with 1", () => {
  const CASES: [words: string[], says: string][] = [
    [["sources", "add", "acme"], "docent sources add <domain> <place>"],
    [["sources", "add", "acme", "nowhere"], "There is no folder or file"],
    [["sources", "add", "nobody", "docs"], "There is no site nobody in"],
    [
      ["sources", "add", "acme", "docs", "--kind", "ftp"],
      "The kinds are folder, website, llms-txt, git, archive, openapi, ",
    ],
    [["sources", "add", "acme", "docs", "--branch", "main"], "--kind git"],
    [
      ["sources", "add", "acme", "docs", "--every", "soon"],
      "--every is a time such as 30m, 6h or 1d, not soon.",
    ],
    [["sources", "add", "acme", "docs", "--every", "10s"], "30m, 6h or 1d"],
    [["sources", "add", "acme", "https://me:secret@docs.acme.example"], "--authorization"],
    [["sources", "add", "acme", "file:///etc/passwd"], "begins with http:// or https://"],
    [["sources", "add", "acme", "ftp://docs.acme.example/", "--later"], "begins with http:// or https://"],
    [["ingest", "acme", "https://docs.acme.example/", "--watch"], "Only a folder can be watched"],
    [["sources", "run", "acme", "99"], "This site has no source 99."],
    [["sources", "run", "acme", "first"], "first is not the number of a source."],
    [["sources", "remove", "acme", "99", "--yes"], "docent sources list"],
    [["sources", "ledger", "acme"], "docent sources ledger <domain> <number>"],
    [
      ["sources", "ledger", "acme", "1", "--decision", "perhaps"],
      "added, changed, unchanged, removed, kept, skipped",
    ],
    [["generations", "rollback", "acme", "99"], "There is no generation 99"],
    [["generations", "rollback", "acme", "last"], "last is not the number of a generation."],
    [["sources"], "Did you mean sources add, sources list"],
  ];
  for (const [words, says] of CASES) {
    test(words.join(" "), async () => {
      const { code, out, err } = await place.run(...words);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(says);
      expect(err).not.toMatch(/^\s+at /m);
    });
  }

  test("and nothing was noted of any of it", async () => {
    const listed: { place: string }[] = await json("sources", "list", "acme");
    expect(listed.map(({ place }) => place.replace(/^.*\//, ""))).toEqual([
      "docs",
      "timed",
      "watched",
      "counted",
    ]);
  });

  test("a source that is shrinking asks for --force", async () => {
    for (let index = 0; index < 30; index++)
      write(`large/page-${index}.md`, `# Page ${index}\n\nSome words.\n`);
    await ok("sources", "add", "acme", "large");
    const { number } = (await json("sources", "list", "acme")).at(-1);
    for (let index = 5; index < 30; index++) rmSync(join(place.folder, `large/page-${index}.md`));
    write("large/new.md", "# New\n\nThe quokka smiles.\n");
    const { code, err } = await place.run("sources", "run", "acme", String(number));
    expect([code, err]).toEqual([1, expect.stringContaining("--force")]);
    // What it noted of a page is not what readers see, and the ledger says so.
    const shown = await ok("sources", "ledger", "acme", String(number), "--decision", "added");
    expect(shown.out).toContain("new.md");
    expect(shown.err).toMatch(
      /The last run failed, and readers see nothing of .*no longer lists 25 of the 30/,
    );
    expect((await ledgerOf(String(number))).lastRun?.outcome).toBe("failed");
    expect(await found("quokka")).toEqual([]);
    expect((await ok("sources", "run", "acme", String(number), "--force")).out).toContain("25 removed");
    expect((await ok("sources", "ledger", "acme", String(number))).err).toBe("");
    const database = new Database(join(place.folder, "docent-data/docent.db"));
    database.run("UPDATE source_runs SET outcome = NULL WHERE id = (SELECT max(id) FROM source_runs)");
    database.close();
    expect((await ok("sources", "ledger", "acme", String(number))).err).toContain("was interrupted");
  });
});

/** What a stream has said so far. */
function collect(stream: ReadableStream<Uint8Array>): () => string {
  let text = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  })();
  return () => text;
}
