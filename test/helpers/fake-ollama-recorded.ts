import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { FakeRefusal } from "./fake-ollama-replies.ts";

export const RECORDED = join(import.meta.dir, "../fixtures/ollama");
export const RECORDED_INDEX = join(RECORDED, "index.json");

/** What was asked of a real Ollama, and how it replied. The body is in a file of its own, byte for byte. */
export const recordingSchema = z.object({
  /** Ollama's version. */
  server: z.string(),
  path: z.string(),
  request: z.unknown().optional(),
  status: z.number(),
  contentType: z.string(),
  file: z.string(),
});

export type Recording = z.infer<typeof recordingSchema>;

/** Every recording by its name. `make live` with RECORD=1 makes them anew. */
export function recordings(): Record<string, Recording> {
  if (!readdirSync(RECORDED).includes("index.json")) return {};
  return z.record(z.string(), recordingSchema).parse(JSON.parse(readFileSync(RECORDED_INDEX, "utf8")));
}

/** A reply that a real Ollama gave, for the fake one to give again. */
export function recorded(name: string): FakeRefusal {
  const recording = recordings()[name];
  if (recording === undefined) throw new Error(`nothing was recorded as ${name}`);
  const body = readFileSync(join(RECORDED, recording.file), "utf8");
  return { status: recording.status, contentType: recording.contentType, body };
}

/** The JSON values of a reply: its lines, or its whole body. None where it is not JSON. */
export function valuesOf({ contentType, body }: Pick<FakeRefusal, "contentType" | "body">): unknown[] {
  if (!contentType.includes("json")) return [];
  return body
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Keys that stand for things rather than for parts of a reply. */
const OPEN_KEYS: readonly string[] = ["model_info", "projector_info"];

/** What a value is made of, as sorted lines such as `models[].name: string`. An array is what any of its items is. */
export function shapeOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return distinct(value.flatMap((item) => shapeOf(item, `${path}[]`)));
  if (typeof value !== "object" || value === null)
    return [`${path}: ${value === null ? "null" : typeof value}`];
  return distinct(
    Object.entries(value).flatMap(([key, inner]) => {
      const name = path === "" ? key : `${path}.${key}`;
      return OPEN_KEYS.includes(key) ? [`${name}: open`] : shapeOf(inner, name);
    }),
  );
}

const distinct = (lines: string[]) => [...new Set(lines)].sort();
