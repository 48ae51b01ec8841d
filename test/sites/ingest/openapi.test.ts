import { describe, expect, test } from "bun:test";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createOpenApiReader, openApiPages } from "../../../src/reading/sources/openapi/openapi.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

type Json = Record<string, unknown>;

const api = (paths: Json, more: Json = {}): Json => ({
  openapi: "3.1.0",
  info: { title: "Pets" },
  paths,
  ...more,
});

/** The Markdown of the only operation of a description. */
function pageOf(operation: Json, more: Json = {}): string {
  const { pages } = openApiPages(api({ "/pets": { post: operation } }, more));
  return pages[1]?.markdown() ?? "";
}

const bodyOf = (schema: unknown, more: Json = {}) =>
  pageOf({ requestBody: { content: { "application/json": { schema } } } }, more);

const pathsOf = (document: Json) => openApiPages(document).pages.map(({ path }) => path);

describe("the pages of an API", () => {
  test("an operation's page says everything that one needs to call it", () => {
    const markdown = pageOf({
      operationId: "addPet",
      summary: "Add a pet",
      description: "Adds it to the *store*.",
      tags: ["pets"],
      parameters: [
        {
          name: "dryRun",
          in: "query",
          description: "Only check",
          schema: { type: "boolean", default: false },
        },
        { name: "X-Trace", in: "header", required: true, schema: { type: "string", minLength: 8 } },
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["name"],
              properties: {
                name: { type: "string", description: "What it is called" },
                kind: { type: "string", enum: ["cat", "dog"] },
                born: { type: ["string", "null"], format: "date" },
              },
            },
            example: { name: "Rex" },
          },
        },
      },
      responses: {
        201: { description: "Added", headers: { Location: { schema: { type: "string" } } } },
        default: { description: "Wrong" },
      },
    });
    expect(markdown).toBe(`---
title: "Add a pet"
description: "Adds it to the *store*."
tags: ["pets"]
---

# Add a pet

\`POST /pets\`

Adds it to the *store*.

## Parameters

- \`dryRun\` in query (boolean): Only check. Default: \`false\`.
- \`X-Trace\` in header (string, required): Limits: at least \`8\` characters.

## Request body

\`application/json\`: object

- \`name\` (string, required): What it is called
- \`kind\` (string): One of \`cat\`, \`dog\`.
- \`born\` (string (date) or null)

Example:

\`\`\`json
{
  "name": "Rex"
}
\`\`\`

## Responses

### 201

Added

Headers:

- \`Location\` in header (string)

### Any other status

Wrong
`);
  });

  test("the pages are read by Docent as what they are", () => {
    const page = parsePage(pageOf({ summary: "Add: a `pet` [x]", tags: ["a: b", "c"] }), {
      fallbackTitle: "none",
    });
    expect(page).toMatchObject({
      title: "Add: a `pet` [x]".replaceAll("`", ""),
      faults: [],
      frontMatter: { tags: ["a: b", "c"] },
    });
  });

  test("the overview names the servers, the ways in, and every operation with a link to its page", () => {
    const { pages } = openApiPages(
      api(
        { "/pets": { get: { tags: ["Pets"], summary: "List" } }, "/x": { put: { deprecated: true } } },
        {
          info: { title: "Pet Store", version: 1.5, description: "# About\nText" },
          servers: [{ url: "https://{region}.test", variables: { region: { default: "eu" } } }],
          tags: [{ name: "Pets", description: "All pets" }],
          webhooks: { newPet: { post: {} } },
          components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
        },
      ),
    );
    const markdown = pages[0]?.markdown() ?? "";
    for (const words of [
      "# Pet Store",
      "Version `1.5`",
      "## About",
      "`https://eu.test`",
      "`key`: an API key in the header `X-Key`",
      "All pets",
      "[`GET /pets`](/api/pets/get-pets): List",
      "[`PUT /x`](/api/put-x) (deprecated)",
      "[Webhook `newPet`, sent by `POST`](/api/webhooks/post-new-pet)",
    ])
      expect(markdown).toContain(words);
  });

  test("paths are named by the operation, and are distinct, wherever another one is added", () => {
    const paths = {
      "/a": { get: { operationId: "listPets", tags: ["My Pets"] }, post: { operationId: "HTTPSend_v2" } },
      "/b": { get: { operationId: "listPets", tags: ["My Pets"] }, post: {} },
      "/c/{petId}": { get: { operationId: "///" } },
    };
    expect(pathsOf(api(paths))).toEqual([
      "api",
      "api/my-pets/list-pets",
      "api/http-send-v2",
      "api/my-pets/get-b",
      "api/post-b",
      "api/get-c-pet-id",
    ]);
    const { "/a": first, ...others } = paths;
    expect(pathsOf(api({ ...others, "/a": first }))).toContain("api/get-c-pet-id");
  });

  test("security is said in words, the document's own where an operation has none", () => {
    const components = {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        key: { type: "apiKey", in: "query", name: "k" },
        oauth: { type: "oauth2", flows: {} },
      },
    };
    const own = pageOf({ security: [{ token: [], key: [] }, { oauth: ["write"] }, {}] }, { components });
    expect(own).toContain(
      "Authentication: a bearer token in the header `Authorization` (`token`) and an API key in the query `k` (`key`), or an OAuth 2 access token (`oauth`, with `write`), or none.",
    );
    expect(pageOf({}, { components, security: [{ key: [] }] })).toContain("an API key in the query `k`");
    expect(pageOf({ security: [] }, { components, security: [{ key: [] }] })).not.toContain("Authentication");
    expect(pageOf({ security: [{}] })).toContain("No authentication is needed.");
  });

  test("a path's parameters are those of its operations, which may say them anew", () => {
    const { pages } = openApiPages(
      api({
        "/pets/{id}": {
          parameters: [
            { name: "id", in: "path", required: true, description: "path" },
            { name: "q", in: "query", description: "theirs" },
          ],
          get: { parameters: [{ name: "q", in: "query", description: "mine" }] },
        },
      }),
    );
    expect(pages[1]?.markdown()).toContain(
      "- `id` in path (any value, required): path\n- `q` in query (any value): mine",
    );
  });

  test("headings in descriptions stand below the page's own", () => {
    const markdown = pageOf({ description: "# One\n```\n# no heading\n```\n## Two" });
    expect(markdown).toContain("\n## One\n```\n# no heading\n```\n### Two");
  });
});

describe("the shape of a value", () => {
  const components = {
    schemas: {
      Pet: {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          { properties: { name: { type: "string" } }, required: ["name"] },
        ],
      },
      Base: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
      Node: {
        type: "object",
        properties: { next: { $ref: "#/components/schemas/Node" }, value: { type: "string" } },
      },
    },
  };

  test("parts of an allOf are one", () => {
    expect(bodyOf({ $ref: "#/components/schemas/Pet" }, { components })).toContain(
      "object `Pet`\n\n- `id` (integer, required)\n- `name` (string, required)",
    );
  });

  test("what refers to itself ends", () => {
    expect(bodyOf({ $ref: "#/components/schemas/Node" }, { components })).toContain(
      "object `Node`\n\n- `next` (`Node`, with the parts named above)\n- `value` (string)",
    );
  });

  test("lists, maps and alternatives are written with their parts", () => {
    const schema = {
      type: "object",
      properties: {
        all: { type: "array", items: { $ref: "#/components/schemas/Base" } },
        map: {
          type: "object",
          additionalProperties: { type: "object", properties: { x: { type: "number" } } },
        },
        one: {
          oneOf: [{ $ref: "#/components/schemas/Base" }, { type: "string" }],
          discriminator: { propertyName: "kind" },
        },
        fixed: { const: 7 },
      },
    };
    expect(bodyOf(schema, { components })).toContain(`- \`all\` (array of \`Base\`)
  - \`id\` (integer, required)
- \`map\` (object)
  - any other name (object)
    - \`x\` (number)
- \`one\` (one of \`Base\`, string)
  - one of, told by \`kind\`: \`Base\`
    - \`id\` (integer, required)
  - one of: string
- \`fixed\` (always \`7\`)`);
  });

  test("what is only read is not sent, what is only written does not come back", () => {
    const schema = {
      properties: { id: { type: "integer", readOnly: true }, pin: { type: "string", writeOnly: true } },
    };
    const content = { "application/json": { schema } };
    const [sent = "", received = ""] = pageOf({
      requestBody: { content },
      responses: { 200: { content } },
    }).split("## Responses");
    expect([sent.includes("`id`"), sent.includes("`pin`")]).toEqual([false, true]);
    expect([received.includes("`id`"), received.includes("`pin`")]).toEqual([true, false]);
  });

  test("a description of several lines stays inside its item", () => {
    const schema = {
      properties: { a: { type: "string", description: "First\n\n- one\n- two", default: "x" } },
    };
    expect(bodyOf(schema)).toContain("- `a` (string): First\n\n  - one\n  - two\n\n  Default: `x`.");
  });

  test("schemas that multiply are cut short", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => [
        `S${level}`,
        {
          properties: Object.fromEntries(
            Array.from({ length: 20 }, (_, index) => [
              `p${index}`,
              { $ref: `#/components/schemas/S${level + 1}` },
            ]),
          ),
        },
      ]),
    );
    const markdown = bodyOf({ $ref: "#/components/schemas/S0" }, { components: { schemas } });
    expect(markdown.split("\n").length).toBeLessThan(3_000);
    expect(markdown).toContain("and more");
  });

  test.each(["allOf", "oneOf", "prefixItems"])("schemas that multiply by %s are cut short too", (word) => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `S${level}`,
        { [word]: Array.from({ length: 20 }, () => ({ $ref: `#/components/schemas/S${level + 1}` })) },
      ]),
    );
    expect(bodyOf({ $ref: "#/components/schemas/S0" }, { components: { schemas } }).length).toBeLessThan(
      200_000,
    );
  });

  test("allOf that refers to itself, deeply or at once, ends", () => {
    const schemas = {
      A: { allOf: [{ $ref: "#/components/schemas/B" }] },
      B: { allOf: [{ $ref: "#/components/schemas/A" }], properties: { b: {} } },
      C: { $ref: "#/components/schemas/C" },
    };
    expect(bodyOf({ $ref: "#/components/schemas/A" }, { components: { schemas } })).toContain(
      "- `b` (any value)",
    );
    expect(bodyOf({ $ref: "#/components/schemas/C" }, { components: { schemas } })).toContain(
      "## Request body",
    );
  });
});

describe("Swagger 2", () => {
  const document = {
    swagger: "2.0",
    info: { title: "Old" },
    host: "old.test",
    basePath: "/v1",
    schemes: ["https"],
    consumes: ["application/json"],
    produces: ["application/xml"],
    definitions: { Pet: { type: "object", properties: { name: { type: "string" } } } },
    securityDefinitions: { basic: { type: "basic" } },
    paths: {
      "/pets": {
        post: {
          parameters: [
            { name: "body", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } },
            { name: "limit", in: "query", type: "integer", maximum: 10 },
          ],
          responses: {
            200: {
              description: "Fine",
              schema: { $ref: "#/definitions/Pet" },
              examples: { "application/xml": "<pet/>" },
            },
          },
        },
        put: {
          parameters: [
            { name: "photo", in: "formData", type: "file", required: true, description: "A photo" },
          ],
        },
      },
    },
  };
  const { pages, faults } = openApiPages(document);

  test("bodies, forms, parameters and answers are read as those of OpenAPI 3", () => {
    const [overview, post, put] = pages.map(({ markdown }) => markdown());
    expect(faults).toEqual([]);
    expect(overview).toContain("`https://old.test/v1`");
    expect(overview).toContain("a user name and password");
    expect(post).toContain("- `limit` in query (integer): Limits: at most `10`.");
    expect(post).toContain("## Request body\n\n`application/json`: object `Pet`\n\n- `name` (string)");
    expect(post).toContain(
      "`application/xml`: object `Pet`\n\n- `name` (string)\n\nExample:\n\n```xml\n<pet/>\n```",
    );
    expect(put).toContain("`multipart/form-data`: object\n\n- `photo` (file, required): A photo");
    expect(put).not.toContain("## Parameters");
  });
});

describe("what is broken", () => {
  test("costs neither the other operations nor the rest of its own, and is told", () => {
    const { pages, faults } = openApiPages(
      api({
        "/a": {
          get: null,
          post: { responses: { 200: { $ref: "#/nowhere" }, 201: { description: "fine" } } },
        },
        "/b": 7,
        "/c": {
          get: {
            parameters: [
              null,
              3,
              { in: "query" },
              { $ref: "https://other.test/p.yaml" },
              { name: "ok", in: "query" },
            ],
          },
        },
        "x-note": {},
      }),
    );
    expect(pages.map(({ path }) => path)).toEqual(["api", "api/post-a", "api/get-c"]);
    expect(pages[1]?.markdown()).toContain("### 201\n\nfine");
    expect(pages[2]?.markdown()).toContain("`ok` in query");
    expect(faults.map(({ pointer }) => pointer).sort()).toEqual([
      "#/nowhere",
      "#/paths/~1a/get",
      "#/paths/~1b",
      "https://other.test/p.yaml",
    ]);
  });

  test("values of the wrong type anywhere never end it", () => {
    const whole = {
      description: "d",
      tags: ["t"],
      parameters: [{ name: "n", in: "query", schema: { type: "array", items: {}, enum: [1] } }],
      requestBody: {
        content: {
          "a/b": {
            schema: { properties: { p: { allOf: [{}], oneOf: [{}] } } },
            examples: { e: { value: 1 } },
          },
        },
      },
      responses: { 200: { headers: { h: {} } } },
      security: [{ s: [] }],
      servers: [{ url: "u" }],
      callbacks: { c: {} },
    };
    const text = JSON.stringify(
      api({ "/x": { get: whole } }, { servers: [], tags: [], components: { securitySchemes: {} } }),
    );
    for (const wrong of ["null", "7", '"text"', "[]", "{}", "[null]", '{"x":null}', "true"]) {
      for (const { index } of text.matchAll(/(?<=":)[[{"]/g)) {
        const end = valueEnd(text, index);
        const document: Json = JSON.parse(`${text.slice(0, index)}${wrong}${text.slice(end)}`);
        const { pages } = openApiPages(document);
        expect(pages.map(({ markdown }) => markdown()).join("")).toContain("# ");
      }
    }
  });
});

test("the page of the whole has the chapters that are tags, and long words on how to sign in below their list", () => {
  const { pages } = openApiPages(
    api(
      { "/x": { get: { tags: ["Pets"] } } },
      {
        tags: [
          { name: "Rate limits", description: "# Hourly\n\n5000 requests." },
          { name: "Pets", description: "All pets." },
          { name: "Empty" },
        ],
        components: {
          securitySchemes: {
            token: {
              type: "http",
              scheme: "bearer",
              description: "## OAuth\n\nTokens.\n\n### Scopes\n\nMany.",
            },
            key: { type: "apiKey", in: "query", name: "k", description: "From the\npanel." },
          },
        },
      },
    ),
  );
  const overview = pages[0]?.markdown() ?? "";
  expect(overview).toContain("## Rate limits\n\n### Hourly\n\n5000 requests.\n\n## Pets\n\nAll pets.");
  expect(overview).not.toContain("Empty");
  expect(overview).toMatch(
    /- `token`: [^\n]*\.\n- `key`: [^\n]*\. From the\n {2}panel\.\n\n### `token`\n\n#### OAuth/,
  );
  expect(overview).toContain("##### Scopes");
});

/** Where the JSON value that begins here ends. */
function valueEnd(text: string, start: number): number {
  for (let end = start + 1; end <= text.length; end++) {
    try {
      JSON.parse(text.slice(start, end));
      return end;
    } catch {}
  }
  throw new Error("no value");
}

describe("the reader of a description", () => {
  const readerOf = (text: string) =>
    createOpenApiReader({
      location: "docs/openapi.yaml",
      found: "file",
      read: async () => new TextEncoder().encode(text),
    });
  const list = (text: string) => Array.fromAsync(readerOf(text).list(listContext()));

  test("YAML and JSON are read, each page at its place in the file", async () => {
    const yaml =
      "openapi: 3.0.3\ninfo: {title: Pets, version: 1}\npaths:\n  /pets/{id}:\n    get: {summary: One}\n";
    const json = JSON.stringify(Bun.YAML.parse(yaml));
    for (const text of [yaml, json]) {
      const items = await list(text);
      expect(items.map(({ location }) => location)).toEqual([
        "docs/openapi.yaml",
        "docs/openapi.yaml#/paths/~1pets~1{id}/get",
      ]);
      expect(items.every((item) => !isSkipped(item) && item.format === "md")).toBe(true);
    }
  });

  test("faults are said beside the pages", async () => {
    const items = await list("openapi: 3.1.0\npaths: {/a: {get: null}, /b: {get: {}}}");
    expect(items.filter(isSkipped)).toEqual([
      {
        location: "docs/openapi.yaml#/paths/~1a/get",
        found: "file",
        reason: "parse_fault",
        detail: "is no operation",
      },
    ]);
    expect(items).toHaveLength(3);
  });

  test("a file that describes no API is refused, and said why", async () => {
    for (const text of ["a: [", "- 1", "", "name: x", "{", "\u0000\u0001"]) {
      const error = await appErrorOf(() => list(text));
      expect([error.code, error.message]).toEqual([
        "invalid_request",
        expect.stringContaining("docs/openapi.yaml"),
      ]);
    }
  });

  test("YAML that is small and stands for very much is refused", async () => {
    const lines = ["openapi: 3.1.0", "x0: &x0 {type: object}"];
    for (let level = 1; level < 30; level++)
      lines.push(
        `x${level}: &x${level} {properties: {a: *x${level - 1}, b: *x${level - 1}, c: *x${level - 1}}}`,
      );
    lines.push("paths: {/a: {post: {requestBody: {content: {application/json: {schema: *x29}}}}}}");
    expect((await appErrorOf(() => list(lines.join("\n")))).code).toBe("invalid_request");
  });
});
