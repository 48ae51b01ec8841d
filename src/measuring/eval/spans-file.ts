import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { parseJsonLines } from "./json-lines.ts";
import { canonicalPath, type Placed, type Range } from "./question.ts";

const spansSchema = z.object({
  _id: z.string().min(1),
  path: z.string().min(1),
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.string().min(1)])).min(1),
});

/** The stretches of text that answer a question. */
export interface Spans {
  placed: Placed;
  texts: string[];
}

/** Reads the stretches of text that answer each question, and checks that they stand where the file says. */
export async function readSpans(text: string, file: string, docs: string): Promise<Map<string, Spans>> {
  const golds = new Map<string, Spans>();
  const texts = new Map<string, { text: string; unit: (character: number) => number }>();
  for (const { _id, path, spans } of parseJsonLines(text, spansSchema, file)) {
    const page = texts.get(path) ?? (await openText(join(docs, path)));
    texts.set(path, page);
    const ranges = spans.map(([start, end, words]): Range => {
      const range: Range = [page.unit(start), page.unit(end)];
      if (page.text.slice(...range) === words) return range;
      throw new AppError(
        "invalid_request",
        `${file}: what ${_id} names is not at character ${start} of ${path}.`,
        { hint: "Spans are [start, end, text], counted in characters of the file as it is." },
      );
    });
    golds.set(_id, {
      placed: { path: canonicalPath(path), ranges },
      texts: spans.map(([, , words]) => words),
    });
  }
  return golds;
}

async function openText(file: string) {
  const text = await Bun.file(file).text();
  return { text, unit: codeUnits(text) };
}

/** Converts positions from code points to UTF-16 code units. */
export function codeUnits(text: string): (character: number) => number {
  if (!/[\uD800-\uDBFF]/.test(text)) return (character) => character;
  const places: number[] = [];
  let unit = 0;
  for (const character of text) {
    places.push(unit);
    unit += character.length;
  }
  places.push(unit);
  return (character) => places[character] ?? unit;
}
