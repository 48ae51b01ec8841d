import { join } from "node:path";
import type { Asked } from "./connection.ts";
import { type Figure, type Measure, percentile, show } from "./figures.ts";
import { type Asking, DOCENT_TEXT, openAsking } from "./first-text.ts";
import { type Program, startModel, using } from "./processes.ts";
import { QUESTIONS } from "./questions.ts";
import { post, prepareSite, question, UNHINDERED } from "./site.ts";

const ROUNDS = 40;
const WARM_UP_ROUNDS = 3;
const TOKENS = 100;
const AIM_MS = 10;
const SETTINGS = { ...UNHINDERED, answer_cache_answers: "1000" };

interface Taken {
  byteMs: number[];
  textMs: number[];
  firstMs: number[];
}

export async function measureReplay(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "replay");
  const key = await prepareSite(program, data);
  const taken = await using(startModel(TOKENS, 10), (model) =>
    using(program.serve(data, SETTINGS, model.url), async ({ url }) => {
      const asking = await openAsking(url, DOCENT_TEXT);
      const taken = await replay(asking, (text) => post(url, key, question(text)));
      asking.close();
      return taken;
    }),
  );
  return {
    title: "An answer from the cache",
    how: `${QUESTIONS.length} questions whose answers a fake model has written (${TOKENS} tokens, one every 10 ms), asked again ${ROUNDS} times, one after the other, each in a thread of its own. The aim is compared with the median of the first byte.`,
    figures: [
      spread("First byte", taken.byteMs, AIM_MS),
      spread("First text", taken.textMs),
      spread("The first time, by the model: first text", taken.firstMs),
    ],
  };
}

async function replay(asking: Asking, ask: (text: string) => Asked): Promise<Taken> {
  const taken: Taken = { byteMs: [], textMs: [], firstMs: [] };
  for (const text of QUESTIONS) taken.firstMs.push((await asking.once(ask(text))).textMs);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const text of QUESTIONS) {
      const { byteMs, textMs, reply } = await asking.once(ask(text));
      if (!reply.includes('"cached":true')) throw new Error("an answer was not replayed from the cache");
      if (round < 0) continue;
      taken.byteMs.push(byteMs);
      taken.textMs.push(textMs);
    }
  }
  return taken;
}

const spread = (name: string, values: number[], below?: number): Figure => ({
  name,
  unit: "ms" as const,
  values,
  shown: `p50 ${show(percentile(values, 50))}, p95 ${show(percentile(values, 95))}`,
  ...(below === undefined ? {} : { aim: { below } }),
});
