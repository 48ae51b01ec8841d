import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { z } from "zod";
import { check } from "../../../src/cli/commands/check/check.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../../docs/check.md"), "utf8");
const blocks = [...PAGE.matchAll(/```(yaml|groovy|sh)\n([\s\S]*?)```/g)].map(([, kind, text = ""]) => ({
  kind,
  text,
}));
const recipes = blocks.filter(({ kind }) => kind === "yaml").map(({ text }) => YAML.parse(text));

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
});
const workflow = z.looseObject({
  on: z.looseObject({}),
  jobs: z.record(z.string(), z.looseObject({ "runs-on": z.string(), steps: z.array(step).min(2) })),
});
const pipeline = z.looseObject({
  docs: z.looseObject({
    script: z.array(z.string()).min(1),
    artifacts: z.looseObject({ when: z.literal("always"), reports: z.looseObject({ junit: z.string() }) }),
  }),
});

test("the recipes for GitHub, GitLab and Gitea are YAML of the shape that these ask for", () => {
  const [github, gitlab, gitea] = recipes;
  expect(recipes).toHaveLength(3);
  for (const each of [github, gitea]) {
    const { jobs } = workflow.parse(each);
    const [checkout] = jobs["docs"]?.steps ?? [];
    expect(checkout).toMatchObject({ with: { "fetch-depth": 0 } });
  }
  expect(pipeline.parse(gitlab).docs).toMatchObject({ variables: { GIT_DEPTH: "0" } });
});

test("the recipe for Jenkins is a declarative pipeline whose braces close", () => {
  const [jenkins] = blocks.filter(({ kind }) => kind === "groovy");
  const text = jenkins?.text ?? "";
  expect(text).toMatch(/^pipeline \{[\s\S]*stages \{[\s\S]*post \{[\s\S]*junit /);
  expect(text.split("{")).toHaveLength(text.split("}").length);
});

test("each command line in the page has options that there are", () => {
  const known = new Set([...Object.keys(check.options ?? {}), "json", "help"]);
  const used = [...PAGE.matchAll(/docent check [^\n`]*/g)].flatMap(([line]) =>
    [...line.matchAll(/--([a-z-]+)/g)].map(([, name = ""]) => name),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});
