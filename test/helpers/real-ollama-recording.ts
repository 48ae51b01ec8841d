import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  RECORDED,
  RECORDED_INDEX,
  type Recording,
  recorded,
  recordings,
  shapeOf,
  valuesOf,
} from "./fake-ollama-recorded.ts";
import { realOllama } from "./real-ollama-here.ts";

const TEXT_CHARACTERS_MAX = 200;
const TENSORS_MAX = 2;

/** A request to a real Ollama, and its whole reply. */
export interface Exchange {
  path: string;
  /** Sent as JSON; a string as it is; undefined makes it a GET. */
  request: unknown;
  status: number;
  contentType: string;
  body: string;
}

/** Sends a request to an Ollama and reads the reply to its end. */
export async function exchange(url: string, path: string, request?: unknown): Promise<Exchange> {
  const sent = typeof request === "string" ? request : JSON.stringify(request);
  const init = request === undefined ? {} : { method: "POST", body: sent ?? "" };
  const reply = await fetch(url + path, { ...init, signal: AbortSignal.timeout(120_000) });
  const contentType = reply.headers.get("content-type") ?? "";
  return { path, request, status: reply.status, contentType, body: await reply.text() };
}

/** Fails where a reply has lost what the recorded one had. Under --record it becomes the recorded one. */
export async function expectAsRecorded(name: string, reply: Exchange): Promise<void> {
  if (process.env["DOCENT_LIVE_RECORD"] === "1") return record(name, reply);
  const before = recorded(name);
  expect([name, reply.status, reply.contentType]).toEqual([name, before.status, before.contentType]);
  const now = valuesOf(reply).map((value) => shapeOf(value));
  for (const value of valuesOf(before)) {
    const shape = shapeOf(value);
    // Newer servers say more, and none may say less.
    const kept = now.some((lines) => shape.every((line) => lines.includes(line)));
    expect(kept, `${name}: no line of the reply still has all of ${shape.join(", ")}`).toBe(true);
  }
}

async function record(name: string, reply: Exchange): Promise<void> {
  const { version } = await fetch(`${realOllama().url}/api/version`).then((answer) => answer.json());
  const ending = reply.contentType.includes("ndjson")
    ? "ndjson"
    : reply.contentType.includes("json")
      ? "json"
      : "txt";
  const recording: Recording = {
    server: String(version),
    path: reply.path,
    request: shortened(reply.request),
    status: reply.status,
    contentType: reply.contentType,
    file: `${name}.${ending}`,
  };
  mkdirSync(RECORDED, { recursive: true });
  writeFileSync(join(RECORDED, recording.file), tidied(reply.body));
  const all = Object.entries({ ...recordings(), [name]: recording }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(RECORDED_INDEX, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** What is long for the sake of being long is not kept. */
function shortened(value: unknown): unknown {
  if (typeof value === "string" && value.length > TEXT_CHARACTERS_MAX)
    return `${value.slice(0, 40)}… (${value.length} characters)`;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

/** Without the folder of this machine, and without the hundreds of tensors that a description lists. */
function tidied(body: string): string {
  const text = body.replaceAll(realOllama().models, "/models");
  if (!text.includes('"tensors":')) return text;
  const value = JSON.parse(text);
  return JSON.stringify({ ...value, tensors: value.tensors.slice(0, TENSORS_MAX) });
}
