import { expect, test } from "bun:test";
import { join } from "node:path";
import { isSkipped, type SourceItem } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const SPEC = `# The API of the shop
openapi: "3.0.3"
info:
  title: Shop
  version: "1"
  description: { $ref: intro.md }
paths:
  /pets:
    get: { $ref: resources/pets/list.yml }
  /pets/{id}:
    $ref: "./resources/pets/one.yml#/paths/one"
  /lost: { get: { $ref: gone.yml } }
`;

const FILES = {
  "README.md": "# Shop",
  "spec/Shop-public.v2.yaml": SPEC,
  "spec/intro.md": "All about the *shop*.",
  "spec/resources/pets/list.yml": `summary: List pets
parameters:
  - $ref: 'parameters.yml#/limit'
responses:
  "200": { $ref: '../../shared/ok.yml' }
`,
  "spec/resources/pets/parameters.yml":
    "limit: { name: limit, in: query, description: How many, schema: { type: integer } }",
  "spec/resources/pets/one.yml": `paths:
  one:
    get:
      summary: One pet
      description: { $ref: '#/words' }
      responses:
        "200": { $ref: ../../shared/ok.yml }
words: Told by its number.
`,
  "spec/shared/ok.yml": `description: Fine
content: { application/json: { schema: { $ref: pet.yml } } }
`,
  // It refers to itself, and back to what refers to it.
  "spec/shared/pet.yml": `type: object
properties:
  name: { type: string, description: What it is called }
  mother: { $ref: pet.yml }
`,
  "docs/service.json":
    '{ "info": {"title": "Old"}, "swagger": "2.0", "paths": { "/old": { "get": { "summary": "Old" } } } }',
  "tests/fixtures/petstore.yaml": "openapi: 3.0.0\npaths: { /x: { get: { summary: Not ours } } }",
  "config.yaml": "tool:\n  openapi: 3.0.0\n",
  "package.json": '{ "dependencies": { "openapi": "3.0.0" } }',
};

const listed = async (files: Record<string, string>) => {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text);
  const items = await Array.fromAsync(
    createFolderReader({ root: folder.path, fileBytesMax: 1_000_000 }).list(listContext()),
  );
  const text = new Map<string, string>();
  for (const item of items) if (!isSkipped(item)) text.set(item.path, await textOf(item));
  return { text, skipped: items.filter(isSkipped).map(({ location, detail }) => [location, detail]) };
};

const textOf = async (item: SourceItem) => new TextDecoder().decode(await item.read());

test("a description of an API is known by its first lines, in a folder that no test uses", async () => {
  const { text } = await listed(FILES);
  expect([...text.keys()].sort()).toEqual([
    "",
    "docs/service",
    "docs/service/get-old",
    "spec/intro",
    "spec/shop-public.v2",
    "spec/shop-public.v2/get-pets",
    "spec/shop-public.v2/get-pets-id",
  ]);
});

test("what a description refers to in files beside it is read", async () => {
  const { text, skipped } = await listed(FILES);
  expect(text.get("spec/shop-public.v2")).toContain("All about the *shop*.");
  const list = text.get("spec/shop-public.v2/get-pets");
  expect(list).toContain("# List pets");
  expect(list).toContain("`limit` in query (integer): How many");
  expect(list).toContain("`application/json`: object `pet`");
  expect(list).toContain("- `name` (string): What it is called");
  expect(list).toContain("- `mother` (");
  expect(text.get("spec/shop-public.v2/get-pets-id")).toContain("Told by its number.");
  expect(skipped).toEqual([
    ["spec/Shop-public.v2.yaml#/paths/~1lost/get", "is no operation"],
    [
      "spec/Shop-public.v2.yaml → gone.yml",
      "is in a file that is not read: where it is beside this one, name the folder of both",
    ],
  ]);
});

test("references that lead out of the source are left alone", async () => {
  const { text, skipped } = await listed({
    "api/openapi.yaml": `openapi: 3.1.0
paths:
  /a: { get: { summary: A, responses: { "200": { $ref: "../../etc/passwd.yml" } } } }
  /b: { get: { summary: B, responses: { "200": { $ref: "https://example.com/b.yml" } } } }
`,
  });
  expect([...text.keys()]).toHaveLength(3);
  expect(skipped.map(([location]) => location)).toEqual([
    "api/openapi.yaml → https://example.com/b.yml",
    "api/openapi.yaml → ../../etc/passwd.yml",
  ]);
});
