import { expect, test } from "bun:test";
import { isComputed, readScript } from "../../src/generators/config/config.ts";

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
