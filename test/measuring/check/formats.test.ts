import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { z } from "zod";
import { RULE_NAMES } from "../../../src/measuring/check/check.ts";
import { FAULTY } from "../../helpers/checked-repository.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** What of the schema of SARIF 2.1.0 a report uses: `additionalProperties` is false in all of it. */
const text = z.strictObject({ text: z.string().min(1) });
const level = z.enum(["none", "note", "warning", "error"]);
const logSchema = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string().min(1),
          version: z.string(),
          rules: z.array(
            z.strictObject({
              id: z.string(),
              shortDescription: text,
              defaultConfiguration: z.strictObject({ level }),
            }),
          ),
        }),
      }),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(-1),
          level,
          message: text,
          baselineState: z.enum(["new", "unchanged", "updated", "absent"]).optional(),
          locations: z.array(
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({ uri: z.string().regex(/^[\w.~%!$&'()*+,;=:@/?-]+$/) }),
                region: z.strictObject({ startLine: z.int().min(1) }),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

const made = { junit: "", sarif: "", printed: "" };

beforeAll(async () => {
  using repository = gitRepository({
    ...FAULTY,
    "docs/mean.md": '# Mean <page> & "more"\n\n[a](x%20<y>.md "t") [b](\u0007b.md) ]]> [c](c.md?a=1&b=2)\n',
  });
  using folder = temporaryDirectory();
  const [junit, sarif] = [join(folder.path, "junit.xml"), join(folder.path, "report.sarif")];
  const words = ["check", repository.path, "--junit", junit, "--sarif", sarif, "--format", "sarif"];
  const ran = await runInProcess(words);
  made.junit = readFileSync(junit, "utf8");
  made.sarif = readFileSync(sarif, "utf8");
  made.printed = ran.out;
});

test("SARIF has the shape that its schema asks for, whatever stands in the docs", () => {
  const log = JSON.parse(made.sarif);
  expect(logSchema.parse(log)).toEqual(log);
  expect(log.runs[0].results.length).toBeGreaterThan(10);
  expect(made.printed).toBe(made.sarif);
});

test("a result of SARIF names its rule, its level, and the line of its file", () => {
  const [{ results, tool }] = JSON.parse(made.sarif).runs;
  const link = results.find(({ ruleId }: { ruleId: string }) => ruleId === "broken-link");
  expect(link.level).toBe("error");
  expect(tool.driver.rules[link.ruleIndex].id).toBe("broken-link");
  expect(link.locations[0].physicalLocation).toMatchObject({
    artifactLocation: { uri: expect.stringMatching(/docs\/links\.md$/) },
    region: { startLine: 7 },
  });
});

/** The elements of an XML document with their attributes. Throws where it is not well-formed. */
function elementsOf(xml: string) {
  const elements: { name: string; attributes: Record<string, string>; parents: string[] }[] = [];
  const open: string[] = [];
  const parser = new SaxesParser({});
  parser.on("opentag", ({ name, attributes }) => {
    elements.push({ name, attributes: { ...attributes }, parents: [...open] });
    open.push(name);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return elements;
}

test("JUnit has a suite for each rule, whose counts are right, and fails what the exit code counts", () => {
  const elements = elementsOf(made.junit);
  const suites = elements.filter(({ name }) => name === "testsuite");
  expect(suites.map(({ attributes }) => attributes["name"])).toEqual([...RULE_NAMES]);
  const count = (name: string) => elements.filter((each) => each.name === name).length;
  const [whole] = elements;
  expect(whole).toMatchObject({
    name: "testsuites",
    attributes: { tests: String(count("testcase")), failures: String(count("failure")) },
  });
  const types = elements.filter(({ name }) => name === "failure").map(({ attributes }) => attributes["type"]);
  expect(new Set(types)).toEqual(
    new Set(["question-missed", "question-refused", "question-unknown-place", "broken-link"]),
  );
  for (const { name, parents } of elements)
    if (name === "failure" || name === "system-out")
      expect(parents).toEqual(["testsuites", "testsuite", "testcase"]);
});
