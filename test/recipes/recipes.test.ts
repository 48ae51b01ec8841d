import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { registerDom } from "../helpers/dom.ts";
import { ended } from "../helpers/ended.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/temporary-directory.ts";
import { until } from "../helpers/until.ts";
import { RELEASES } from "../helpers/use-chat.ts";

// Every program in docs/recipes.md, as it stands there but for the address, the site and the key.

const MODULES = join(import.meta.dir, "../../node_modules");
const RECIPES = readFileSync(join(import.meta.dir, "../../docs/recipes.md"), "utf8");
const INSTALL_URL = "https://docs.acme.example/guide/install#linux";
const ANSWER = `Run the installer [[1]](${INSTALL_URL}).`;

let ollama: FakeOllama;
let docent: TestDocent;
let folder: TemporaryDirectory;
let unregister: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ollama = startFakeOllama({ reply: { text: "Run the installer [1]." } });
  docent = await startDocent({ ollama: ollama.url, settings: { answer_cache_answers: "0" } });
  await docent.app.parts.people.sites.set("acme", { settings: { suggestions: false } });
  folder = temporaryDirectory();
});
afterEach(async () => {
  await unregister?.();
  unregister = undefined;
});
afterAll(async () => {
  await docent.close();
  await ollama.stop();
  folder[Symbol.dispose]();
});

/** The programs under a heading, in one language. */
function recipes(heading: string, language: string): string[] {
  const section = RECIPES.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, name, code = ""]) => (name === language ? code : []));
}

/** The program, for this server: whatever it names must be there to be replaced. */
function forDocent(code: string | undefined): string {
  let adapted = code ?? "";
  for (const [placeholder, real] of [
    ["http://127.0.0.1:4747", docent.url],
    ["docs.example.com", "acme"],
    ["docent_dsc_…", docent.key],
  ] as const) {
    if (!adapted.includes(placeholder))
      throw new Error(`the recipe does not name ${placeholder}: ${adapted}`);
    adapted = adapted.replaceAll(placeholder, real);
  }
  return adapted;
}

/** A folder in which a program finds these packages by these names, as where someone has installed them. */
function projectWith(packages: Record<string, string>, name: string): string {
  const project = join(folder.path, name);
  for (const [installedAs, place] of Object.entries(packages)) {
    const link = join(project, "node_modules", installedAs);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(place), link);
  }
  return project;
}

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", env: { PATH: process.env["PATH"] } });
  const { out, err, code } = await ended(child);
  expect(code, `${command.join(" ")}\n${out}\n${err}`).toBe(0);
  return out;
}

/** Runs a program in a file of its own. */
async function runFile(runner: string, file: string, code: string, packages: Record<string, string> = {}) {
  const project = projectWith(packages, `${file}-project`);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, file), code);
  return run([runner, join(project, file)]);
}

const lastQuestions = () =>
  databaseOf(docent.app)
    .query<{ question: string; thread: string }, []>(
      "SELECT question, thread_id AS thread FROM turns ORDER BY created_at DESC, id DESC LIMIT 2",
    )
    .all();

describe("useChat", () => {
  /** Puts the component of a recipe into a page, and asks there as a reader does. */
  async function askIn(file: string): Promise<{ text: string; links: (string | null)[] }> {
    unregister = registerDom();
    const { createElement } = await import("react");
    const { createRoot } = await import("react-dom/client");
    const { Assistant } = await import(file);
    const root = createRoot(document.body.appendChild(document.createElement("div")));
    root.render(createElement(Assistant));
    const find = <E extends Element>(selector: string, kind: new () => E): E => {
      const found = document.querySelector(selector);
      if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
      return found;
    };
    await until(() => document.querySelector("input") !== null);
    const input = find("input", HTMLInputElement);
    // React watches the element's own property: it has to be written past it, as typing does.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(
      input,
      "How do I install Acme?",
    );
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => input.value !== "");
    find("form", HTMLFormElement).dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await until(() => document.querySelector("article.assistant a, [role=alert]") !== null);
    await until(() => document.querySelector("button[type=button]") === null);
    expect(document.querySelector("[role=alert]")?.textContent ?? null).toBeNull();
    expect(input.value).toBe("");
    const answer = find("article.assistant", HTMLElement);
    const shown = {
      text: [...answer.querySelectorAll("p")].map(({ textContent }) => textContent).join(""),
      links: [...answer.querySelectorAll("a")].map((link) => link.getAttribute("href")),
    };
    root.unmount();
    return shown;
  }
  const react = { react: join(MODULES, "react") };

  test.each(RELEASES)(
    "of %s, of AI SDK 5 and later, shows the answer and what it cites",
    async (release, version) => {
      const installed = join(MODULES, release);
      const ai = dirname(Bun.resolveSync("ai/package.json", realpathSync(installed)));
      expect((await Bun.file(join(ai, "package.json")).json()).version).toBe(version);
      const [code] = recipes("A chat with useChat, AI SDK 5 and later", "jsx");
      const project = projectWith({ ...react, "@ai-sdk/react": installed, ai }, release);
      const file = join(project, "assistant.jsx");
      writeFileSync(file, forDocent(code));
      expect(await askIn(file)).toEqual({ text: ANSWER, links: [INSTALL_URL] });
    },
  );

  test("of AI SDK 4 shows the answer and what it cites", async () => {
    const [code] = recipes("A chat with useChat, AI SDK 4", "jsx");
    const project = projectWith({ ...react, "@ai-sdk/react": join(MODULES, "@ai-sdk/react") }, "v4");
    const file = join(project, "assistant.jsx");
    writeFileSync(file, forDocent(code));
    expect(await askIn(file)).toEqual({ text: ANSWER, links: [INSTALL_URL] });
  });
});

describe("programs", () => {
  test("fetch prints the answer, and continues its thread", async () => {
    const [code] = recipes("A question with fetch", "js");
    ollama.replyWith({ text: "Run the installer [1]." }, { text: "Run the wizard." });
    const out = await runFile(process.execPath, "ask.mjs", forDocent(code));
    expect(out).toStartWith(`${ANSWER}\n`);
    expect(out).toContain("Run the wizard.");
    const [second, first] = lastQuestions();
    expect([second?.question, second?.thread]).toEqual(["And on Windows?", first?.thread ?? "-"]);
  });

  test("the openai package prints the answer", async () => {
    const [code] = recipes("A question with the openai package", "js");
    ollama.replyWith({ text: "Run the installer [1]." });
    const packages = { openai: join(MODULES, "openai") };
    expect(await runFile(process.execPath, "openai.mjs", forDocent(code), packages)).toBe(ANSWER);
  });

  test("the openai package goes on from its first response", async () => {
    const [code] = recipes("A conversation with the openai package", "js");
    ollama.replyWith({ text: "Run the installer [1]." }, { text: "Run the wizard." });
    const packages = { openai: join(MODULES, "openai") };
    const out = await runFile(process.execPath, "responses.mjs", forDocent(code), packages);
    expect(out).toStartWith(`${ANSWER}\n`);
    expect(out).toContain("Run the wizard.");
    const [second, first] = lastQuestions();
    expect([second?.question, second?.thread]).toEqual(["And on Windows?", first?.thread ?? "-"]);
  });

  const python = findProgram("python3");
  test.skipIf(python === null)("Python prints the answer, and says what was refused", async () => {
    const [code] = recipes("A question with Python", "python");
    ollama.replyWith({ text: "Run the installer [1]." });
    expect(await runFile(python ?? "", "ask.py", forDocent(code))).toBe(`${ANSWER}\n`);
    const refused = forDocent(code).replace(docent.key, "docent_dsc_nobody");
    const error = await runFile(python ?? "", "refused.py", refused).catch(String);
    expect(error).toContain("This assistant key is not valid");
  });

  const curl = findProgram("curl");
  test.skipIf(curl === null)("curl prints the stream, and the answer in one piece", async () => {
    const commands = recipes("A question with curl", "sh");
    expect(commands).toHaveLength(2);
    ollama.replyWith({ text: "Run the installer [1]." });
    const [stream = "", whole = ""] = await Promise.all(
      commands.map((command) => run(["sh", "-c", forDocent(command)])),
    );
    expect(stream).toContain('"type":"text-delta"');
    expect(stream).toEndWith("data: [DONE]\n\n");
    expect(JSON.parse(whole).choices[0].message.content).toBe(ANSWER);
  });

  test("are all run: no recipe is left out", () => {
    const languages = [...RECIPES.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    expect(languages).toEqual(["jsx", "jsx", "js", "sh", "sh", "python", "js", "js"]);
  });
});

/** Where a program is; says so where it is not, because its recipe is then not tried. */
function findProgram(name: string): string | null {
  const found = Bun.which(name);
  if (found === null)
    process.stderr.write(`\n  ${name} is not here: its recipe in docs/recipes.md is NOT TESTED\n`);
  return found;
}
