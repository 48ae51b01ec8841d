import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED, withGenerated } from "../scripts/docs.ts";
import { jsonFields } from "../scripts/json-fields.ts";
import type { DocumentedCommand } from "../src/cli/command.ts";
import { loadCommands } from "../src/cli/commands/commands.ts";
import { OWN_DOCS } from "../src/cli/own-docs.ts";
import { HTTP_ERROR_CODES, STATUS } from "../src/doors/errors.ts";
import { messageSchema, v1MessageSchema } from "../src/doors/messages/v1.ts";
import { v2MessageSchema } from "../src/doors/messages/v2.ts";
import type { Setting } from "../src/kernel/config/setting.ts";
import { flagOf, SETTINGS } from "../src/kernel/config/settings.ts";
import { splitFrontMatter } from "../src/reading/markdown/front-matter.ts";
import { readOutline } from "../src/reading/markdown/md/md.ts";
import { parsePage } from "../src/reading/markdown/page.ts";
import type { Parts } from "../src/running/app/parts.ts";
import type { Surroundings } from "../src/running/app/surroundings.ts";
import { openParts } from "../src/running/app.ts";
import { openDoors } from "../src/running/doors/doors.ts";
import { PHRASE_NAMES } from "../src/sites/site/phrases.ts";
import { testSurroundings } from "./helpers/docent.ts";
import { temporaryDirectory } from "./helpers/temporary-directory.ts";

const COMMANDS = await loadCommands();

const ROOT = join(import.meta.dir, "..");
const DOCS = join(ROOT, "docs");
/** Written by `make bench`, on the machine of whoever runs it. */
const BENCHMARKS = "benchmarks.md";
/** A whole section should be one passage. */
const SECTION_PASSAGES_MAX = 2;

/** For people who change Docent: it is no part of what Docent serves of itself. */
const FOR_DEVELOPERS = "architecture.md";
const files = readdirSync(DOCS).filter((file) => file.endsWith(".md") && file !== FOR_DEVELOPERS);
const pages = new Map(files.map((file) => [file, readFileSync(join(DOCS, file), "utf8")]));
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const makefile = readFileSync(join(ROOT, "Makefile"), "utf8");

const page = (file: string) => pages.get(file) ?? "";
const missing = (expected: string[], text: string) => expected.filter((each) => !text.includes(each));

describe("docs say everything that there is", () => {
  test("every setting with its variable and its flag is in configuration.md", () => {
    const expected = Object.entries<Setting>(SETTINGS).map(
      ([name, { env }]) => `| \`${name}\` | \`${env}\` | \`${flagOf(name)}\` |`,
    );
    expect(missing(expected, page("configuration.md"))).toEqual([]);
  });

  test("every command with its options is in cli.md", () => {
    const sections = new Map(
      readOutline(page("cli.md")).sections.map((section) => [section.heading, section.markdown]),
    );
    for (const { name, options = {} } of COMMANDS) {
      const expected = [`docent ${name}`, ...Object.keys(options).map((option) => `\`--${option}`)];
      expect({ command: name, missing: missing(expected, sections.get(name) ?? "") }).toEqual({
        command: name,
        missing: [],
      });
    }
  });

  test("the fields of a command's JSON are told, those of shapes that have a name in the API too", () => {
    const commands: readonly DocumentedCommand[] = COMMANDS;
    const silent = commands.filter(({ json }) => json !== undefined && !/`\w+`/.test(jsonFields(json)));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("every option of a command has a help text", () => {
    const silent = COMMANDS.flatMap(({ name, options = {}, optionHelp = {} }) =>
      Object.keys(options)
        .filter((option) => !optionHelp[option])
        .map((option) => `${name} --${option}`),
    );
    expect(silent).toEqual([]);
  });

  test("the limits in keys-and-limits.md are the defaults", () => {
    const rows = [...page("keys-and-limits.md").matchAll(/\| *([\d,]+) *\| *`(\w+)` *\|/g)];
    const told = rows.map(([, number = "", name = ""]) => ({
      name,
      number: Number(number.replaceAll(",", "")),
    }));
    expect(told.length).toBeGreaterThan(3);
    const settings = new Map<string, Setting>(Object.entries(SETTINGS));
    for (const { name, number } of told) expect(settings.get(name)?.default, name).toBe(number);
  });

  test("every error code with its status is in api.md", () => {
    const expected = HTTP_ERROR_CODES.map((code) => `| \`${code}\` | ${STATUS[code]} |`);
    // Tables may be padded.
    expect(missing(expected, page("api.md").replace(/ +/g, " "))).toEqual([]);
  });

  test("every route is in api.md", async () => {
    using directory = temporaryDirectory();
    const surroundings = testSurroundings(directory.path);
    const parts = await openParts(surroundings);
    try {
      const routes = await routesOf(parts, surroundings);
      expect(missing(routes, page("api.md") + page("admin-api.md"))).toEqual([]);
    } finally {
      parts.close();
    }
  });

  test("every field of a request is in api.md", () => {
    const bounds = { messageCharacters: 1 };
    const schemas = [v1MessageSchema(bounds), v2MessageSchema(bounds), messageSchema(bounds)];
    const fields = schemas.flatMap(({ shape }) => Object.keys(shape));
    const expected = fields.map((field) => `\`${field}\``);
    expect(missing(expected, page("api.md"))).toEqual([]);
  });

  test("every sentence of Docent's own is in asking.md by its name", () => {
    const expected = PHRASE_NAMES.map((name) => `\`${name}\``);
    expect(missing(expected, page("asking.md"))).toEqual([]);
  });
});

describe("docs say nothing that there is not", () => {
  for (const { file, name, content } of GENERATED) {
    test(`the ${name} in ${file} are those of the code (if not: bun scripts/docs.ts)`, async () => {
      const text = await Bun.file(join(DOCS, file)).text();
      expect(withGenerated(text, name, await content())).toBe(text);
    });
  }

  test("every docent command in an example exists, with every option", () => {
    const examples = [...pages.values(), readme]
      .flatMap(shellLines)
      .filter((line) => /^(\$ )?docent /.test(line));
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.flatMap(faultsOf)).toEqual([]);
  });

  test("every make target in README.md and docs exists", () => {
    const targets = new Set([...makefile.matchAll(/^([a-z0-9-]+):/gm)].map(([, target]) => target));
    const named = [...pages.values(), readme].flatMap((text) => [
      ...text.matchAll(/(?:`|^)make ([a-z0-9-]+)/gm),
    ]);
    expect(named.map(([, target]) => target).filter((target) => !targets.has(target))).toEqual([]);
  });

  test("every link between pages leads to a page and a heading", () => {
    const dead = [...pages].flatMap(([file, text]) => deadLinks(file, text, DOCS));
    expect([...dead, ...deadLinks("README.md", readme, ROOT)]).toEqual([]);
  });
});

describe("docs are a site of their own", () => {
  test("the page for developers is not among them, and names files that there are", () => {
    expect(Object.keys(OWN_DOCS)).not.toContain(FOR_DEVELOPERS);
    const named = [
      ...readFileSync(join(DOCS, FOR_DEVELOPERS), "utf8").matchAll(/`((?:src|test|migrations)\/[^`]*)`/g),
    ];
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("every page is inside the binary", () => {
    const expected = files.filter((file) => file !== BENCHMARKS || file in OWN_DOCS);
    expect(Object.keys(OWN_DOCS).sort()).toEqual(expected.sort());
    for (const [file, text] of Object.entries(OWN_DOCS)) expect(text).toBe(page(file));
  });

  test("every page has a title and a description, and no fault", () => {
    for (const file of files.filter((each) => each !== BENCHMARKS)) {
      const { title, description } = splitFrontMatter(page(file)).data;
      expect([file, typeof title, typeof description]).toEqual([file, "string", "string"]);
      expect(parsePage(page(file), { fallbackTitle: file }).faults).toEqual([]);
    }
  });

  test("a section is short enough to be found and quoted whole", () => {
    const long = [...pages].flatMap(([file, text]) => {
      const passages = parsePage(text, { fallbackTitle: file }).passages;
      const bySection = Map.groupBy(passages, (passage) => `${file}#${passage.anchor}`);
      return [...bySection]
        .filter(([, cut]) => cut.length > SECTION_PASSAGES_MAX)
        .map(([section]) => section);
    });
    expect(long).toEqual([]);
  });

  test("every page can be reached from the first one", () => {
    const linked = new Set([...page("index.md").matchAll(/\]\(([a-z-]+\.md)/g)].map(([, file]) => file));
    const unreached = files.filter((file) => file !== "index.md" && file !== BENCHMARKS && !linked.has(file));
    expect(unreached).toEqual([]);
  });
});

/** The routes of a server, as the documentation writes them. */
async function routesOf(parts: Parts, surroundings: Surroundings): Promise<string[]> {
  const { server } = await (await openDoors(surroundings, parts)).open();
  return server.routes
    .filter(({ method }) => method !== "OPTIONS")
    .map(({ method, path }) => `\`${method} ${path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}")}\``);
}

/** The lines of a page's shell examples, continued ones as one. */
function shellLines(text: string): string[] {
  return [...text.matchAll(/^```(?:sh|console)\n(.*?)^```/gms)].flatMap(([, code = ""]) =>
    code.replace(/\\\n/g, " ").split("\n"),
  );
}

function faultsOf(line: string): string[] {
  const words = line
    .replace(/^\$ /, "")
    .replace(/"[^"]*"/g, "text")
    .split(/\s+/)
    .slice(1);
  const [first = "", second = ""] = words;
  if (first.startsWith("-") || first === "<command>") return [];
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  if (!command) return [`there is no command: ${line}`];
  const known = new Set([
    "--json",
    "--debug",
    "--help",
    ...Object.keys(SETTINGS).map(flagOf),
    ...Object.keys(command.options ?? {}).map((option) => `--${option}`),
  ]);
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/, ""));
  return options.filter((option) => !known.has(option)).map((option) => `${option} is no option: ${line}`);
}

function deadLinks(file: string, text: string, folder: string): string[] {
  const prose = text.replace(/^(`{3,}).*?^\1$/gms, "").replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const at = path === "" ? join(folder, file) : join(folder, path);
      if (!existsSync(at)) return true;
      if (anchor === undefined) return false;
      const { body } = splitFrontMatter(readFileSync(at, "utf8"));
      return !readOutline(body).sections.some((section) => section.anchor === anchor);
    })
    .map((target) => `${file}: ${target}`);
}

describe("figures about limits", () => {
  const inWords = (value: unknown) => Number(value).toLocaleString("en");

  test("in tables are the defaults of the settings that they name", () => {
    const rows = [...pages.values()].flatMap((text) => [
      ...text.matchAll(/^\|.*\|\s*([\d,]+)[^|]*\|\s*`(\w+)`\s*\|$/gm),
    ]);
    const checked = rows.flatMap(([, figure, name = ""]) => {
      const setting = Object.entries(SETTINGS).find(([each]) => each === name)?.[1];
      return setting === undefined ? [] : [[name, figure, inWords(setting.default)]];
    });
    expect(checked.length).toBeGreaterThan(12);
    expect(checked.filter(([, figure, value]) => figure !== value)).toEqual([]);
  });

  test("in sentences are those of the settings, too", () => {
    const { organization_messages_per_hour, address_messages_per_day, address_messages_per_minute } =
      SETTINGS;
    const moving = (pages.get("moving.md") ?? "").replace(/\s+/g, " ");
    expect(moving).toContain(
      `${inWords(organization_messages_per_hour.default)} messages an hour for an organization`,
    );
    expect(moving).toContain(`${inWords(address_messages_per_day.default)} a day for an address`);
    expect(moving).toContain(
      `One of ${inWords(address_messages_per_minute.default)} a minute for an address`,
    );
    const members = (pages.get("members.md") ?? "").replace(/\s+/g, " ");
    const { name_sign_ins_per_hour: perName, address_sign_ins_per_hour: perAddress } = SETTINGS;
    expect(members).toContain(
      `after ${inWords(perName.default)} in any hour under one name from one network`,
    );
    expect(members).toContain(`after ${inWords(perName.default * 3)} under one name from all networks`);
    expect(members).toContain(`after ${inWords(perAddress.default)} from one client address`);
  });
});
