import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { isOpenaiPath, isOpenaiRoute } from "../../src/doors/openai/errors.ts";
import * as serverModule from "../../src/doors/server.ts";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { ADDABLE_KINDS } from "../../src/reading/source.ts";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";
import { type Described, filledPath, readDocument } from "../helpers/api-document.ts";
import { bodiesFrom } from "../helpers/body-from-schema.ts";
import { startDocent } from "../helpers/docent.ts";
import { cookieOf } from "../helpers/member-door.ts";
import { isShared } from "../helpers/shared-database.ts";

let door: AnalyticsDoor;
/** Of a member who is signed in. */
let cookie: string;
let json: unknown;
let document: ReturnType<typeof readDocument>;
/** What the server has: methods with patterns. */
let routes: string[];

/** Pages for people, and what browsers ask before they ask. */
const NO_OPERATION =
  /^(?:GET \/(?:sites\/|reference$|assets\/|widget\.js$|dashboard|$|new$|sign-in$|members$|account$|notices$|audit$|server$)|OPTIONS )/;
/** What another request has to make first, or would have to come last. */
const NEEDS_MORE = new Set([
  "askFromRocketChat",
  "askFromDiscord",
  "giveFeedback",
  "handOver",
  "removeSite",
  "removeSource",
  "rollBackGeneration",
  "signIn",
  "lookAtLink",
  "redeemLink",
  "changePassword",
  "signOut",
  "getMcpResourceMetadata",
]);

/** How many bodies each operation is sent. */
const ROUNDS = 30;

const validators = new Map<unknown, ValidateFunction>();
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));

beforeAll(async () => {
  const made = spyOn(serverModule, "createServer");
  try {
    door = await startAnalyticsDoor({
      settings: {
        metrics: "on",
        address_messages_per_minute: "0",
        address_sign_ins_per_hour: "20",
        // Nothing is sent there: a destination has to be possible to be added.
        mail_server: "smtp://docs%40acme.example:x@127.0.0.1:1",
      },
    });
    // The routes are made for the first request.
    await fetch(`${door.url}/openapi.json`);
    const server = made.mock.results.at(-1);
    routes =
      server?.type === "return" ? server.value.routes.map(({ method, path }) => `${method} ${path}`) : [];
  } finally {
    made.mockRestore();
  }
  cookie = await firstOwner();
  await door.app.parts.answers.curated.add(await door.app.parts.people.sites.get("acme"), {
    name: "windows-build",
    version: "",
    language: "",
    markdown: "---\nquestion: Is there a Windows build?\n---\nYes.",
  });
  json = await (await fetch(`${door.url}/openapi.json`)).json();
  document = readDocument(json);
  ajv.addSchema(referringToDocument({ $id: "document", components: document.components }));
});
afterAll(() => door.close());

async function firstOwner(): Promise<string> {
  const link = (await door.app.parts.people.members.firstLink())?.text;
  const reply = await fetch(`${door.url}/v1/session/link`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ link, name: "Ada", password: "correct horse battery" }),
  });
  return cookieOf(reply.headers);
}

/** Made once: that takes longer than using it. What has a name in the document is shared by all of them. */
function validator(schema: unknown): ValidateFunction {
  const made = validators.get(schema) ?? ajv.compile(referringToDocument(schema));
  validators.set(schema, made);
  return made;
}

const referringToDocument = (schema: unknown) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));

function credentialsFor(security: Described["security"]): Record<string, string> {
  if (security.length === 0) return {};
  const isFor = (name: string) => security.some((each) => name in each);
  if (!isFor("admin") && isFor("session")) return { cookie, origin: new URL(door.url).origin };
  return { authorization: `Bearer ${isFor("admin") ? door.keys.server : door.key}` };
}

/** Where nothing is an alternative, as on a public site, none is needed. */
const needsCredentials = ({ security }: Described) =>
  security.length > 0 && security.every((each) => Object.keys(each).length > 0);

/** A request with no more than the document says of it. */
async function send(operation: Described, body: unknown, known: Record<string, string> = {}, more = "") {
  const { method, security, servers } = operation;
  const reply = await fetch(`${servers[0]}${filledPath(operation, known)}${more}`, {
    method,
    headers: {
      ...credentialsFor(security),
      accept: "application/json, text/event-stream",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, type: reply.headers.get("content-type") ?? "", text: await reply.text() };
}

/** The reply is one of those that the document tells of, and has the shape that it tells. */
/** More than the server takes, and with its headers no more than Bun hands on where it is not told to take more. */
const LONGEST_CHARACTERS = 15_850;

function checkReply(operation: Described, { status, type, text }: Awaited<ReturnType<typeof send>>): void {
  const shown = `${operation.method} ${operation.path} → ${status} ${type} ${text.slice(0, 500)}`;
  const told = operation.responses[String(status)];
  if (told === undefined) throw new Error(`not in the document: ${shown}`);
  if (told.content === undefined) {
    expect(text, shown).toBe("");
    return;
  }
  const content = told.content[type.split(";", 1)[0] ?? ""];
  if (content === undefined) throw new Error(`another type: ${shown}`);
  if (content.schema === undefined || !type.startsWith("application/json")) return;
  const isRight = validator(content.schema);
  if (!isRight(JSON.parse(text))) throw new Error(`${shown} ${ajv.errorsText(isRight.errors)}`);
}

/** Every schema in a part of the document, with where it is. */
function* schemasOf(
  part: unknown,
  place: string,
): Generator<{ place: string; schema: Record<string, unknown> }> {
  if (Array.isArray(part)) {
    for (const [index, each] of part.entries()) yield* schemasOf(each, `${place}[${index}]`);
  } else if (typeof part === "object" && part !== null) {
    const schema: Record<string, unknown> = { ...part };
    yield { place, schema };
    for (const [name, each] of Object.entries(schema))
      if (name !== "example") yield* schemasOf(each, `${place}/${name}`);
  }
}

const isObject = ({ type, properties }: Record<string, unknown>) =>
  type === "object" || typeof properties === "object";

const find = (id: string): Described => {
  const found = document.operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};
const schemaOf = (operation: Described) => operation.requestBody?.content["application/json"]?.schema;
const exampleOf = (operation: Described) => operation.requestBody?.content["application/json"]?.example;

describe("the document", () => {
  test("is valid OpenAPI 3.1 of this version, at the address of the server", async () => {
    await SwaggerParser.validate(structuredClone(Object(json)));
    expect(document.openapi).toBe("3.1.0");
    expect(document.info.version).toBe(manifest.version);
    expect(document.servers).toEqual([{ url: door.url }]);
  });

  test("holds every route of the server but pages for people, and nothing else", () => {
    const written = document.operations.flatMap(({ method, path, servers }) =>
      servers.map((url) => `${method} ${url.slice(door.url.length)}${path}`),
    );
    const served = routes
      .filter((route) => !NO_OPERATION.test(route))
      .map((route) => route.replace(/:(\w+)/g, "{$1}").replace("*", "{name}"));
    expect(served.length).toBeGreaterThan(50);
    expect(written.toSorted()).toEqual([...new Set(served)].toSorted());
  });

  test("calls every operation by a name of its own, a verb and what it is done to, and tells what it does", () => {
    const nameless = document.operations.filter(
      ({ operationId }) => !/^[a-z]+([A-Z][A-Za-z0-9]+)+$/.test(operationId),
    );
    expect(nameless.map(({ method, path }) => `${method} ${path} needs a verb and a noun as its id`)).toEqual(
      [],
    );
    const ids = document.operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { summary } of document.operations) expect(summary).toMatch(/^[A-Z].{3,80}[^.]$/);
  });

  test("says what each kind of operation is for", () => {
    const kinds = z
      .array(z.object({ name: z.string(), description: z.string().optional() }))
      .parse(Object(json).tags);
    const unsaid = kinds.filter(({ description }) => description === undefined);
    expect(unsaid.map(({ name }) => `say in src/doors/openapi/document.ts what ${name} is for`)).toEqual([]);
  });

  test("calls every object that is sent or given by a name, so that programs made from it have names too", () => {
    const nameless: string[] = [];
    for (const { place, schema } of schemasOf(Object(json).paths, "paths"))
      if (isObject(schema)) nameless.push(place);
    for (const [name, own] of Object.entries(document.components.schemas))
      for (const { place, schema } of schemasOf(own, name))
        if (place !== name && isObject(schema)) nameless.push(place);
    expect(nameless.map((place) => `${place} needs a name: .meta({ id: "…" })`)).toEqual([]);
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
  });

  test("holds nothing that widespread tools cannot read", () => {
    for (const { place, schema } of schemasOf(json, "")) {
      // The generator of Python clients and schemathesis end at them.
      expect(`${place} ${"prefixItems" in schema}`).toBe(`${place} false`);
      // Python's expressions have no classes of Unicode, and Go's look neither ahead nor back.
      if (typeof schema["pattern"] === "string") {
        expect(`${place} ${schema["pattern"]}`).not.toMatch(/\\[pP]\{|\(\?<?[=!]|\\u\{/);
        new RegExp(schema["pattern"]);
      }
    }
  });

  test("types every body, and every reply that has content", () => {
    for (const { operationId, requestBody, responses } of document.operations) {
      const bodies = [requestBody, ...Object.values(responses)].flatMap((each) =>
        Object.entries(each?.content ?? {}),
      );
      // Of a stream, a schema would be one of each event.
      for (const [, { schema }] of bodies.filter(([type]) => type !== "text/event-stream"))
        expect(`${operationId} ${JSON.stringify(schema)}`).toMatch(/"(type|\$ref|anyOf|oneOf)"/);
    }
  });

  test("says whether a body has to be sent", async () => {
    // Without a body a run is asked for, and an index goes back.
    const leftOut = new Set(["startRun", "rollBackGeneration"]);
    const optional: string[] = [];
    for (const operation of document.operations) {
      const { operationId, requestBody } = operation;
      if (requestBody === undefined || leftOut.has(operationId)) continue;
      const reply = await send(operation, undefined);
      checkReply(operation, reply);
      if (!requestBody.required) optional.push(operationId);
      // Of what is not there, or is of another kind, that is told before what was sent is looked at.
      const isFine = requestBody.required ? reply.status >= 400 : ![400, 415].includes(reply.status);
      if (!isFine) throw new Error(`${operationId}, ${requestBody.required}: ${reply.status} ${reply.text}`);
    }
    expect(optional.toSorted()).toEqual([
      "addEvaluationQuestion",
      "changeNoticeDestination",
      "changeSite",
      "changeSource",
      "createAssistantKey",
    ]);
  });

  test("tells what is taken where code checks it, and not a schema", async () => {
    const fits = (id: string, body: object) =>
      validator(schemaOf(find(id)))({ ...Object(exampleOf(find(id))), ...body });
    const said = async (id: string, body: object) =>
      (await send(find(id), { ...Object(exampleOf(find(id))), ...body })).status;
    for (const body of [{ kind: "leaflet" }, { everyMs: 59_999 }, { everyMs: 366 * 86_400_000 }])
      expect([fits("addSource", body), await said("addSource", body)]).toEqual([false, 400]);
    for (const kind of ADDABLE_KINDS) expect(fits("addSource", { kind })).toBe(true);
    for (const domain of ["Handbook", "a/b", "", "x".repeat(64)])
      expect([fits("addSite", { domain }), await said("addSite", { domain })]).toEqual([false, 400]);
    const outcome = Object(json).paths["/v1/analytics/{domain}/conversations"].get.parameters.find(
      ({ name }: { name: string }) => name === "outcome",
    );
    for (const [value, status] of [
      ["answered,failed", 200],
      ["answered,", 400],
      ["wrong", 400],
    ] as const) {
      expect(new RegExp(outcome.schema.pattern).test(value)).toBe(status === 200);
      expect((await send(find("listTurns"), undefined, {}, `?outcome=${value}`)).status).toBe(status);
    }
  });

  test("says that a page is asked for by a path that is not null", async () => {
    const getPage = find("getPage");
    const isRight = validator(schemaOf(getPage));
    for (const body of [{ path: null }, {}, { path: null, page: null }]) {
      expect([isRight(body), (await send(getPage, body)).status]).toEqual([false, 400]);
    }
    for (const body of [
      { path: "guide/install" },
      { path: null, page: "guide/install" },
      { path: "guide/install", page: null },
    ])
      expect([isRight(body), (await send(getPage, body)).status]).toEqual([true, 200]);
  });

  test("has only examples that its own schemas take", () => {
    const withExample = document.operations.filter((operation) => exampleOf(operation) !== undefined);
    expect(withExample.length).toBeGreaterThan(12);
    for (const operation of withExample) {
      const isRight = validator(schemaOf(operation));
      if (!isRight(exampleOf(operation)))
        throw new Error(`${operation.operationId}: ${ajv.errorsText(isRight.errors)}`);
    }
  });

  test("says who is let in: without its key no operation gives anything", async () => {
    for (const operation of document.operations.filter(needsCredentials)) {
      const reply = await send({ ...operation, security: [] }, exampleOf(operation));
      checkReply(operation, reply);
      expect(`${operation.operationId} ${reply.status}`).toBe(`${operation.operationId} 401`);
    }
  });
});

describe("a request made from the document alone", () => {
  test("is taken, and its reply is as the document says", async () => {
    await door.asked("How do I install Acme on Linux?");
    const sent: string[] = [];
    // What is deleted is deleted last.
    const order = ["POST", "PUT", "PATCH", "GET", "DELETE"];
    const operations = document.operations.toSorted(
      (a, b) => order.indexOf(a.method) - order.indexOf(b.method),
    );
    for (const operation of operations) {
      const { operationId, requestBody, path, parameters } = operation;
      const isWhole = parameters.every((each) => each.in === "query" || each.example !== undefined);
      const example = exampleOf(operation);
      if (!isWhole || NEEDS_MORE.has(operationId) || (requestBody?.required && example === undefined))
        continue;
      // A PostgreSQL database is backed up by its own tools.
      if (isShared && path.endsWith("/backup")) continue;
      if (path.endsWith("/sources/{number}/runs") && operation.method === "POST") continue;
      const more = path.endsWith("/export") ? "?format=jsonl" : "";
      const reply = await send(operation, example, {}, more);
      checkReply(operation, reply);
      if (reply.status >= 300) throw new Error(`${operationId} ${reply.status} ${reply.text}`);
      sent.push(operationId);
    }
    expect(sent.length).toBeGreaterThan(35);
  });

  test("finds what it names by an id that a reply gave", async () => {
    const { threadId, messageId } = await door.asked("Which colour has the moon on Sundays?");
    const opinion = { ...Object(exampleOf(find("giveFeedback"))), threadId, messageId };
    const ids = async (path: string, name: string) => String((await door.list(path, name))[0]?.["id"]);
    const given = await send(find("giveFeedback"), opinion);
    expect(given.status).toBe(204);
    const gap = await ids("/acme/gaps", "gaps");
    const key = JSON.parse((await send(find("createAssistantKey"), { name: "x" })).text).id;
    const adminKey = JSON.parse((await send(find("createAdminKey"), { name: "x", server: true })).text).id;
    const asked: [id: string, known: string, body?: unknown][] = [
      ["getThread", threadId],
      ["getTurn", messageId],
      ["getGap", gap],
      ["setGapState", gap, { state: "dismissed" }],
      ["revokeAssistantKey", key],
      ["revokeAdminKey", adminKey],
      ["listConversations", ""],
      ["listFeedback", ""],
      ["listGaps", ""],
      ["deleteThread", threadId],
    ];
    const kept = await send(find("addEvaluationQuestion"), { expected: ["moon"] }, { id: messageId });
    checkReply(find("addEvaluationQuestion"), kept);
    const known = { id: String(JSON.parse(kept.text).id) };
    const list = await send(find("listEvaluationQuestions"), undefined);
    checkReply(find("listEvaluationQuestions"), list);
    const dropped = await send(find("removeEvaluationQuestion"), undefined, known);
    expect([kept.status, list.status, dropped.status]).toEqual([201, 200, 204]);
    for (const [operationId, id, body] of asked) {
      const reply = await send(find(operationId), body, { id });
      checkReply(find(operationId), reply);
      expect(`${operationId} ${reply.status} ${reply.text}`).toStartWith(`${operationId} 200`);
    }
  });

  test("is refused as the document says where its address is too long", async () => {
    for (const id of ["listTurns", "getPage", "getModel", "checkLiveness"]) {
      const reply = await send(
        find(id),
        exampleOf(find(id)),
        {},
        `?cursor=${"x".repeat(LONGEST_CHARACTERS)}`,
      );
      checkReply(find(id), reply);
      expect(`${id} ${reply.status}`).toBe(`${id} 431`);
    }
  });

  test("is refused as the document says where it names what is not there", async () => {
    for (const operation of document.operations.filter(({ path }) => /\{(id|run)\}/.test(path))) {
      const body = operation.requestBody === undefined ? undefined : { state: "open" };
      const reply = await send(operation, body);
      checkReply(operation, reply);
      expect(`${operation.operationId} ${reply.status}`).toBe(`${operation.operationId} 404`);
    }
    const rules = await send(find("getSourceRules"), undefined, {}, "?site=nowhere");
    checkReply(find("getSourceRules"), rules);
    expect(rules.status).toBe(404);
  });

  test("is never answered with a fault of ours, whatever its schema lets it hold", async () => {
    const random = seededRandom(20261121);
    const make = bodiesFrom(random, document.components.schemas);
    const seen = new Map<number, number>();
    // Runs are left out, what was named would be fetched; and removals, whatever is left to try would be gone.
    const operations = document.operations.filter(
      ({ requestBody, path, method }) =>
        requestBody !== undefined && method !== "DELETE" && !path.endsWith("/runs"),
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const operation of operations) {
        const body = make(schemaOf(operation));
        const reply = await send(operation, body === undefined ? null : body);
        if (reply.status >= 500) throw new Error(`${JSON.stringify(body)} → ${reply.text}`);
        checkReply(operation, reply);
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
      }
    }
    for (const status of [200, 201, 400]) expect(seen.get(status) ?? 0).toBeGreaterThan(20);
  });
});

test("below /v1/, all that is not Docent's own is answered as OpenAI's API answers", () => {
  const below = routes
    .map((route) => route.replace(/^\S+ /, ""))
    .filter((path) => /^(?:\/discovery)?\/v1\//.test(path));
  expect(below.length).toBeGreaterThan(50);
  for (const path of below) expect([path, isOpenaiPath(path)]).toEqual([path, isOpenaiRoute(path)]);
});

test("below a base path, behind another address, both say where the server is reached", async () => {
  const settings = { base_path: "/docs-bot", public_url: "https://docent.example.com/docs-bot" };
  const docent = await startDocent({ settings, docs: null });
  try {
    const { servers, operations } = readDocument(await (await fetch(`${docent.url}/openapi.json`)).json());
    expect(docent.url).toEndWith("/docs-bot");
    expect(servers).toEqual([{ url: settings.public_url }]);
    expect(operations.map(({ path }) => path)).toContain("/v1/search/{domain}");
    expect(operations.map(({ path }) => path)).not.toContain("/metrics");
    expect(await (await fetch(`${docent.url}/reference`)).text()).toContain(settings.public_url);
  } finally {
    await docent.close();
  }
});

describe("the page for people", () => {
  test("loads nothing, runs nothing, and names every operation", async () => {
    const reply = await fetch(`${door.url}/reference`);
    const html = await reply.text();
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(reply.headers.get("content-security-policy")).toStartWith(
      "default-src 'none'; style-src 'unsafe-inline';",
    );
    const targets = [...html.matchAll(/\s(?:src|href|action|srcset)="([^"]*)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !target?.startsWith("#"))).toEqual(["openapi.json"]);
    expect(html).not.toMatch(/<(?:script|link|img|iframe)|@import|url\(/);
    const places = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => `#${id}`));
    expect(targets.filter((target) => target?.startsWith("#") && !places.has(target))).toEqual([]);
    for (const name of ["Source", "Turn", "Error"]) expect(targets).toContain(`#shape-${name}`);
    for (const { operationId, path, method } of document.operations) {
      expect(html).toContain(`<article id="${operationId}">`);
      expect(html).toContain(`<b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code>`);
    }
  });
});
