import { describe, expect, test } from "bun:test";
import { asRecord } from "../../../src/kernel/text/json.ts";
import {
  isComputed,
  readConfig,
  readPythonModule,
  readScript,
} from "../../../src/reading/generators/config/config.ts";
import { createScriptBudget } from "../../../src/reading/generators/config/script.ts";
import { createDocsTree } from "../../../src/reading/generators/generators.ts";
import { treeOf } from "./open-files.ts";

const exported = async (text: string) => (await readScript(text, async () => undefined)).value;

test("a function below its call gives what it returns for what it is given", async () => {
  const text = `export default { menu: menu("/guide", 2) };
    function menu(base: string, major: number, { open = true } = {}) {
      const label = \`v\${major - 1}\`;
      return [{ label, link: base + "/start", open }];
    }`;
  expect(await exported(text)).toMatchObject({ menu: [{ label: "v1", link: "/guide/start" }] });
});

test("a list that is mapped is known", async () => {
  const text = `const page = (name) => ({ text: name, link: "/" + name });
    export default ["a", "b"].map((name) => page(name));`;
  expect(await exported(text)).toEqual([
    { text: "a", link: "/a" },
    { text: "b", link: "/b" },
  ]);
});

test("the names and values of a record are known, and those of what is computed are not", async () => {
  const text = `const all = { en: { label: "English" }, fr: { label: "French" } };
    export default { names: Object.keys(all), labels: Object.values(all).map(({ label }) => label),
      pairs: Object.entries({ a: 1 }), lost: Object.keys(unheardOf) };`;
  const { lost, ...known } = asRecord(await exported(text));
  expect(known).toEqual({ names: ["en", "fr"], labels: ["English", "French"], pairs: [["a", 1]] });
  expect(lost).toMatchObject({ call: "Object.keys" });
});

test("a name that begins with @/ or ~/ is looked for from the folders around a script, and may be of a .tsx file", async () => {
  const files = {
    "app/src/lib/a.ts": 'import { b } from "@/b";\nimport { c } from "~/c/d";\nexport default { b, c };',
    "app/src/b.tsx": "export const Logo = () => <b>Logo</b>;\nexport const b = 1;",
    "app/c/d.ts": "export const c = 2;",
    "b.ts": "export const b = 3;",
  };
  expect((await readConfig(treeOf(files), "app/src/lib/a.ts"))?.value).toEqual({ b: 1, c: 2 });
});

test("a list without what is not there is known", async () => {
  const text = `const pro = process.env.PRO ? { include: "pro/**" } : undefined;
    export default [{ include: "**" }, pro].filter(Boolean);`;
  expect(await exported(text)).toEqual([{ include: "**" }]);
});

test("functions that call themselves end", async () => {
  const text = "const f = () => [f(), f()]; export default f();";
  expect(JSON.stringify(await exported(text)).length).toBeLessThan(100_000_000);
  expect(isComputed(await exported("export default unheardOf;"))).toBe(true);
});

test("a function of another script is followed, and what is spread out of a helper is there", async () => {
  const sidebar =
    'const names = { start: "Begin" }; export function group(key) { return { label: names[key] }; }';
  const load = async () => readScript(sidebar, async () => undefined);
  const text = `import { group } from "./sidebar";
    const shared = defineConfig({ title: "T" });
    export default { ...shared, menu: [group("start")] };`;
  expect((await readScript(text, load)).value).toEqual({ title: "T", menu: [{ label: "Begin" }] });
});

describe("a script that would be endless work", () => {
  /** How many of the steps, and how many of the characters, that it may take a script takes. */
  async function workOf(text: string) {
    const budget = createScriptBudget();
    const { steps, characters } = budget;
    await readScript(text, async () => undefined, budget);
    return { steps: steps - budget.steps, characters: characters - budget.characters };
  }

  test("is left after a few rounds of a cycle of calls", async () => {
    expect((await workOf("const f = () => [f(), f()]; export default f();")).steps).toBeLessThan(20_000);
    const two = "const f = () => [g(), g()]; const g = () => [f(), f()]; export default f();";
    expect((await workOf(two)).steps).toBeLessThan(510_000);
  });

  test("is no longer followed where lists and texts multiply", async () => {
    const list = `const a = [${"1,".repeat(20_000)}]; export default [${"[...a],".repeat(1_000)}];`;
    expect((await workOf(list)).steps).toBeLessThan(600_000);
    const text = `const a = "${"x".repeat(200_000)}"; export default [${"a + a,".repeat(1_000)}];`;
    expect((await workOf(text)).characters).toBeLessThan(21_000_000);
  });

  test("is read once, however often others import it, and may import itself", async () => {
    const files: Record<string, string> = { "s9.js": "export default 'end'; import x from './s0.js';" };
    for (let depth = 0; depth < 9; depth++)
      files[`s${depth}.js`] =
        `${Array.from({ length: 50 }, (_, index) => `import x${index} from "./s${depth + 1}.js";`).join("")} export default x0;`;
    const reads: string[] = [];
    const tree = createDocsTree(
      Object.entries(files).map(([location, text]) => ({
        location,
        async read() {
          reads.push(location);
          return new TextEncoder().encode(text);
        },
      })),
    );
    expect((await readConfig(tree, "s2.js"))?.value).toBe("end");
    expect(reads).toHaveLength(new Set(reads).size);
  });
});

test("a script may pass on what others export", async () => {
  const files: Record<string, string> = {
    "config.js":
      'import { de, en, fr, all, own } from "./menus/index.js"; export default [de, en, fr, all.de, own];',
    "menus/index.ts":
      'export * from "./de.js"; export { menu as en, default as fr } from "./en.js"; export * as all from "./de.js"; export const own = 4;',
    "menus/de.ts": "export const de = 1; export default 9;",
    "menus/en.ts": "export const menu = 2; export default 3;",
  };
  const tree = createDocsTree(
    Object.entries(files).map(([location, text]) => ({
      location,
      read: async () => new TextEncoder().encode(text),
    })),
  );
  expect((await readConfig(tree, "config.js"))?.value).toEqual([1, 2, 3, 1, 4]);
});

describe("a Python module", () => {
  test("whose texts and lists double with each line ends", () => {
    const text = `a = "xxxxxxxxxx"\nb = [1]\nc = "x"\n${"a += a\nb += b\nc = f'{c}{c}'\n".repeat(100)}d = 1\n`;
    const { b, d } = readPythonModule(text);
    expect([b, d]).toEqual([expect.arrayContaining([1]), 1]);
    expect(Array.isArray(b) && b.length).toBe(50_000);
  });

  test("that adds what has no sum is read all the same", () => {
    const { count, last } = readPythonModule("count = 1\ncount += 1\nlast = 'x'\n");
    expect(isComputed(count)).toBe(true);
    expect(last).toBe("x");
  });
});
