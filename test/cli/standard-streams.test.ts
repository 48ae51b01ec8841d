import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FIXTURE_DOCS } from "../helpers/docent.ts";
import { ended } from "../helpers/ended.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../helpers/program.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";

let place: Workplace;
let environment: Record<string, string>;
beforeAll(async () => {
  place = createWorkplace();
  environment = { DOCENT_DATA: join(place.folder, "docent-data") };
  for (const words of [
    ["sites", "add", "acme"],
    ["ingest", "acme", FIXTURE_DOCS],
  ])
    await runInProcess(words, { environment });
});
afterAll(() => place.dispose());

const run = (input: string, ...words: string[]) => runInProcess([...words, "--json"], { environment, input });
const ok = async (input: string, ...words: string[]) => {
  const { code, out, err } = await run(input, ...words);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("a hyphen is the standard input", () => {
  test("of the widget's look and of instructions", async () => {
    const set = await ok('{"theme": "dark"}', "sites", "set", "acme", "--widget-file", "-");
    expect(JSON.parse(set).settings.widget).toMatchObject({ theme: "dark" });
    const instructed = await ok(" Be brief.\n", "sites", "set", "acme", "--instructions-file", "-");
    expect(JSON.parse(instructed).settings.instructions).toBe("Be brief.");
  });

  test("of a curated answer, which has to be named", async () => {
    const answer = "---\nquestions:\n  - Who made Acme?\n---\n\nPeople did.\n";
    const [added] = JSON.parse(await ok(answer, "answers", "add", "acme", "-", "--name", "makers"));
    expect(added).toMatchObject({ name: "makers", questions: ["Who made Acme?"] });
    expect((await run(answer, "answers", "add", "acme", "-")).err).toContain("needs a name");
  });

  test("of a question", async () => {
    expect(await ok("How do I install\nAcme on Linux?\n", "ask", "acme", "-")).toContain("install.sh");
    expect(JSON.parse(await ok("retention\n", "search", "acme", "-"))[0].path).toBe("guide/configure");
    for (const command of ["ask", "search"])
      expect((await run("\n", command, "acme", "-")).err).toContain("There is no question.");
  });

  test("of questions to measure with", async () => {
    const line = '{"question": "How long are logs kept?", "expected": "guide/configure"}\n';
    expect(JSON.parse(await ok(line, "eval", "-", "--site", "acme")).reports).not.toEqual([]);
  });

  test.each<[words: string[], says: string]>([
    [["ingest", "acme", "-"], "A source is read again and again"],
    [["sources", "add", "acme", "-"], "A source is read again and again"],
    [
      ["sites", "set", "acme", "--widget-file", "-", "--instructions-file", "-"],
      "Only one of --instructions-file and --widget-file",
    ],
  ])("not of %j", async (words, says) => {
    const { code, err } = await run("{}", ...words);
    expect([code, JSON.parse(err).error]).toEqual([1, expect.stringContaining(says)]);
  });

  // A process of its own, which knows of no other database.
  test.skipIf(isShared)("what is no text is refused", async () => {
    const child = Bun.spawn([...PROGRAM, "ask", "acme", "-", "--json"], {
      cwd: place.folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: place.folder },
      stdin: new Uint8Array([0xff, 0xfe, 0x00]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { error } = JSON.parse(await new Response(child.stderr).text());
    expect(error).toBe("The standard input cannot be read as text in UTF-8.");
  });
});

describe("a backup through pipes", () => {
  const temporary = () => join(place.folder, "tmp");
  const program = PROGRAM.map((part) => `'${part}'`).join(" ");
  async function shell(script: string) {
    mkdirSync(temporary(), { recursive: true });
    const child = Bun.spawn(["bash", "-o", "pipefail", "-c", script.replaceAll("docent ", `${program} `)], {
      cwd: place.folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, TMPDIR: temporary() },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    return ended(child);
  }

  test.skipIf(isShared)("arrives whole, and leaves nothing behind", async () => {
    const { code, out, err } = await shell("docent backup - | docent restore - --data other");
    expect([code, out, err]).toEqual([0, "Restored what came through the input.\n", ""]);
    const listed = await shell("docent sites list --json --data other");
    expect(JSON.parse(listed.out)).toMatchObject([{ domain: "acme", pages: 4 }]);
    expect(readdirSync(temporary())).toEqual([]);
  });

  test("leaves nothing behind either where nobody reads it", async () => {
    const { code } = await shell("docent backup - | true");
    expect(code).toBe(141);
    expect(readdirSync(temporary())).toEqual([]);
  });

  test("that is none is refused, and the database stays", async () => {
    const { code, err } = await shell("echo nonsense | docent restore -");
    expect(code).toBe(1);
    expect(err).toStartWith("docent: What came through the input is not a sound Docent backup: ");
    expect(existsSync(join(place.folder, "docent-data/backups"))).toBe(false);
  });

  test("that never came is said to be that", async () => {
    const { code, err } = await shell("true | docent restore -");
    expect(code).toBe(1);
    expect(err).toStartWith("docent: Nothing came through the input.");
    expect(readdirSync(temporary())).toEqual([]);
  });

  test("is not shown at a terminal", async () => {
    const { code, out, err } = await runInProcess(["backup", "-"], { environment, columns: 80 });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("docent backup - | gzip");
  });
});
