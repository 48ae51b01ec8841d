import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "bun";
import { z } from "zod";
import { readBody } from "../../src/doors/request/body.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { type Described, filledPath, readDocument } from "../helpers/api-document.ts";
import { type MemberDoor, startMemberDoor } from "../helpers/member-door.ts";

// Bodies that hold as many faults as they can. What is said of them, and the work that is done for it, has a bound.

const MANY = 5000;
const DETAILS_MAX = 20;
const REPLY_BYTES_MAX = 20_000;
/** Its errors quote what was sent, of which there is a bound. */
const MCP_BYTES_MAX = 100_000;

let door: MemberDoor;
let operations: Described[];
let schemas: Record<string, unknown>;

beforeAll(async () => {
  door = await startMemberDoor({
    settings: { address_sign_ins_per_hour: "0", name_sign_ins_per_hour: "0", metrics: "on" },
  });
  const document = readDocument(await (await fetch(`${door.url}/openapi.json`)).json());
  operations = document.operations;
  schemas = document.components.schemas;
});
afterAll(() => door.close());

const many = <T>(of: (index: number) => T) => Array.from({ length: MANY }, (_, index) => of(index));
const manyKeys = () => Object.fromEntries(many((index) => [`unknown${index}`, index]));
const LONG = "k".repeat(100_000);

const schemaOf = z.object({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** The names that a body has, as the document tells them. */
function namesIn(schema: unknown): string[] {
  const { $ref, properties } = schemaOf.parse(schema ?? {});
  if ($ref !== undefined) return namesIn(schemas[$ref.split("/").at(-1) ?? ""]);
  return Object.keys(properties ?? {});
}

/** Values with as many faults as there is room for. */
const HOSTILE = [
  many(() => ({})),
  many((index) => index),
  many(() => [[]]),
  manyKeys(),
  LONG,
  { [LONG]: 1 },
  many(() => ({ type: LONG.slice(0, 100), role: "nobody", parts: [{}, {}], content: [{}, 1] })),
];

function hostileBodies(names: string[]): string[] {
  const bodies = [manyKeys(), { [LONG]: 1 }, many(() => 1), LONG, null].map((body) => JSON.stringify(body));
  bodies.push('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  for (const name of names) bodies.push(...HOSTILE.map((value) => JSON.stringify({ [name]: value })));
  for (const name of names) bodies.push(`{"${name}":{"__proto__":{"polluted":1}},"${name}":[null]}`);
  return bodies;
}

const faultsSchema = z.object({
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

async function send(operation: Described, body: string): Promise<{ status: number; text: string }> {
  const isOfSession = operation.path.startsWith("/v1/session");
  const isOfAdmin = /^\/v1\/(admin|analytics)\//.test(operation.path);
  const reply = await fetch(`${door.url}${filledPath(operation, { domain: "acme" })}`, {
    method: operation.method,
    headers: {
      "content-type": "application/json",
      ...(isOfSession ? { cookie: door.cookies.owner, origin: new URL(door.url).origin } : {}),
      ...(isOfSession ? {} : { authorization: `Bearer ${isOfAdmin ? door.keys.server : door.key}` }),
      accept: "application/json, text/event-stream",
    },
    body,
  });
  return { status: reply.status, text: await reply.text() };
}

describe("whatever is wrong with a body", () => {
  test("the faults that are told are few and short, at every operation that takes one", async () => {
    const taking = operations.filter(({ requestBody }) => requestBody?.content["application/json"]);
    expect(taking.length).toBeGreaterThanOrEqual(30);
    for (const operation of taking) {
      for (const body of hostileBodies(namesIn(operation.requestBody?.content["application/json"]?.schema))) {
        const { status, text } = await send(operation, body);
        const which = `${operation.method} ${operation.path} ${body.slice(0, 60)}: ${status} ${text.slice(0, 100)}`;
        expect(status, which).toBeLessThan(500);
        if (status < 400) continue;
        expect(text.length, which).toBeLessThanOrEqual(REPLY_BYTES_MAX);
        const { details = [] } = faultsSchema.parse(JSON.parse(text));
        expect(details.length, which).toBeLessThanOrEqual(DETAILS_MAX);
      }
    }
    expect(Object("").polluted).toBeUndefined();
  });

  test("a tool of MCP tells as little of what it is called with", async () => {
    const few = many(() => ({})).slice(0, 2000);
    const sent = [
      manyKeys(),
      few,
      LONG,
      { query: few },
      { path: few },
      { id: few },
      { query: "a", [LONG]: 1 },
    ];
    const calls = sent.flatMap((params) =>
      ["search_docs", "read_page", "fetch", "list_pages", LONG.slice(0, 40_000)].map((name) => ({
        name,
        arguments: params,
      })),
    );
    for (const params of [...calls, ...sent]) {
      const reply = await fetch(`${door.url}/mcp/acme`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${door.key}`,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const text = await reply.text();
      expect(
        text.length,
        `${JSON.stringify(params).slice(0, 60)}: ${text.slice(0, 200)}`,
      ).toBeLessThanOrEqual(MCP_BYTES_MAX);
    }
  });

  test("a query with thousands of names is refused as shortly", async () => {
    const query = many((index) => `u${index}`)
      .join("&")
      .slice(0, 12_000);
    const reply = await door.ask("GET", `/sites/acme/pages?${query}`);
    expect([
      reply.status,
      z.object({ details: z.array(z.unknown()) }).parse(reply.body).details.length,
    ]).toEqual([400, DETAILS_MAX]);
  });
});

/** A body that comes in pieces, and counts how many of them were asked for. */
function bodyInPieces(pieces: string[]) {
  const read = { pieces: 0 };
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[read.pieces++];
        if (piece === undefined) controller.close();
        else controller.enqueue(encoder.encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "application/json" };
  return { read, request: new Request("http://docent.test/", { method: "POST", headers, body }) };
}

const bounds = () => ({ bytesMax: 100_000_000, milliseconds: 60_000, signal: new AbortController().signal });
const faultOf = (pieces: string[]) =>
  readBody(bodyInPieces(pieces).request, z.unknown(), bounds()).then(
    () => undefined,
    (error) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
  );

describe("a body of very many values", () => {
  const TOO_MANY = "too_large: The body holds more than 50000 values.";

  test("is refused when the first too many have come: the rest is neither read nor checked", async () => {
    const pieces = [
      "{",
      ...Array.from({ length: 350 }, (_, at) =>
        many((i) => `"u${at}_${i}":1,`)
          .slice(0, 1000)
          .join(""),
      ),
    ];
    const { request, read } = bodyInPieces(pieces);
    let checked = 0;
    const schema = z.unknown().refine(() => ++checked > 0);
    await expect(readBody(request, schema, bounds())).rejects.toThrow("more than 50000 values");
    expect([read.pieces < 60, checked]).toEqual([true, 0]);
  });

  test("is answered at once, though its sender has sent the first part alone, and so is everybody else", async () => {
    const { hostname, port } = new URL(door.url);
    const part = `{${Array.from({ length: 60_000 }, (_, at) => `"u${at}":1`).join(",")}`;
    const head = [
      "POST /v1/assistant/acme/message HTTP/1.1",
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${door.key}`,
      "content-type: application/json",
      "content-length: 4800000",
    ];
    const answered = Promise.withResolvers<string>();
    let sent = Buffer.from(`${head.join("\r\n")}\r\n\r\n${part}`);
    const write = (socket: Socket) => {
      sent = sent.subarray(socket.write(sent));
    };
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { open: write, drain: write, data: (_, data) => answered.resolve(data.toString()) },
    });
    expect((await fetch(`${door.url}/health/live`)).status).toBe(200);
    expect(await answered.promise).toStartWith("HTTP/1.1 413");
    socket.end();
  });

  test("lists and objects count wherever they are, and what stands in texts does not", async () => {
    expect(await faultOf([JSON.stringify(Array(50_001).fill(1))])).toBe(TOO_MANY);
    expect(await faultOf([JSON.stringify(Array(11).fill(many(() => [])))])).toBe(TOO_MANY);
    expect(await faultOf([JSON.stringify(Array(49_000).fill(1))])).toBeUndefined();
    expect(await faultOf([JSON.stringify({ text: "[{,".repeat(100_000) })])).toBeUndefined();
    expect(await faultOf([JSON.stringify({ text: '\\",[{'.repeat(100_000) })])).toBeUndefined();
  });

  test("is told from texts wherever the pieces of it end", async () => {
    const text = JSON.stringify([
      many(() => '",[{\\"\\\\').join('\\"'),
      "\\",
      '"',
      "\\\\",
      ...Array(40_000).fill(1),
    ]);
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(await faultOf(pieces)).toBeUndefined();
      expect(await faultOf([...pieces.slice(0, -1), ",1".repeat(20_000), "]"])).toBe(TOO_MANY);
    }
  });

  test("is refused where it is too deep as well", async () => {
    expect(await faultOf(["[".repeat(1_000_000)])).toMatch(/more than 100 deep/);
    expect(await faultOf([`${'{"a":'.repeat(100)}1${"}".repeat(100)}`])).toBeUndefined();
    expect(await faultOf([`${'{"a":'.repeat(101)}1${"}".repeat(101)}`])).toMatch(/more than 100 deep/);
  });
});
