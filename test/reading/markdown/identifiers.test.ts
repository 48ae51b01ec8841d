import { describe, expect, test } from "bun:test";
import { identifiersOf } from "../../../src/reading/markdown/passages/identifiers.ts";

describe("identifiers", () => {
  test.each([
    [
      "in code spans, without what is called with them",
      "Use `open()`, `Map<K>` and ``a`b``.",
      ["open", "Map"],
    ],
    ["among the words of a code span", "`npm install --save-dev my_pkg`", ["--save-dev", "my_pkg"]],
    [
      "in headings, where no word looks like them",
      "## The --dry-run flag of package.json and E1234, std::vector, fooBar\n\n### Get-Process in MY_VAR",
      ["--dry-run", "package.json", "E1234", "std::vector", "fooBar", "Get-Process", "MY_VAR"],
    ],
    ["not in prose", "Use --dry-run with MY_VAR and e.g. fooBar in package.json.", []],
    ["not values that stand everywhere", "`true`, `null`, `string`, `42`, `-`, `/a/b`, `http://x.y`", []],
    [
      "that code declares",
      "```ts\nexport async function loadAll() {\n  const inner_value = call();\n}\nclass A1 {}\n```",
      ["loadAll", "inner_value", "A1"],
    ],
    ["that Python declares", "```python\n@ray.remote\ndef train_it(x):\n    return f(x)\n```", ["train_it"]],
    [
      "that C declares, and not what it calls",
      "```cpp\n#define BUF_MAX 3\nHRESULT CreateThing(int a);\nreturn other(1);\n  call(2);\n```",
      ["BUF_MAX", "CreateThing"],
    ],
    ["that are keys of data", '```json\n{\n  "compilerOptions": {"a": 1},\n```\n', ["compilerOptions"]],
    ["of YAML", "```yaml\nserver:\n  - max_size: 3\n```", ["server", "max_size"]],
    [
      "of a shell",
      "```sh\nexport API_KEY=x\ndocker run --rm -it x --name=y\n```",
      ["API_KEY", "--rm", "--name"],
    ],
  ])("are found %s", (_, markdown, expected) => {
    expect(identifiersOf(markdown)).toEqual(expected);
  });

  test("are found in the headings above, each once", () => {
    expect(identifiersOf("`printf_s` or `printf_s`", ["printf_s and more"])).toEqual(["printf_s"]);
  });

  test("are bounded in number and length", () => {
    const spans = Array.from({ length: 500 }, (_, index) => `\`name_${index}\``).join(" ");
    expect(identifiersOf(spans)).toHaveLength(64);
    expect(identifiersOf(`\`${"x_".repeat(60)}\``)).toEqual([]);
  });

  test.each(["`", "`a ", "a_", "--", "::", "a ", "# ", "```\n", "a.", "const "])(
    "of a megabyte of %j are found in linear time",
    (unit) => {
      for (const prefix of ["", "# ", "```c\n", "`"])
        identifiersOf(prefix + unit.repeat(1_000_000 / unit.length));
    },
  );
});
