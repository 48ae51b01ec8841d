import { join } from "node:path";
import { type ChatRecorder, startChatRecorder } from "./chat-recorder.ts";
import type { Asked } from "./connection.ts";
import { type Figure, type Measure, median } from "./figures.ts";
import { DOCENT_TEXT, OLLAMA_TEXT, openAsking, type Told } from "./first-text.ts";
import { type OpenLive, withLive } from "./live-ollama.ts";
import { type Program, startModel, using } from "./processes.ts";
import { QUESTIONS } from "./questions.ts";
import { post, prepareSite, question, UNHINDERED } from "./site.ts";

const AIM_MS = 5;
const LIVE_TITLE = "Docent compared with a bare call, real Ollama";

/** A question to Docent, and the prompt that Docent then sends, for the model itself. */
interface Compared {
  model: string;
  settings: Record<string, string>;
  questions: readonly string[];
  rounds: number;
  warmUpRounds: number;
}

/** The waits for the first text through Docent and from the model directly, alternating. */
interface Waits {
  docent: number[];
  bare: number[];
}

/**
 * Measures with the fake model, which takes next to no time: a real one's noise would hide a few
 * milliseconds.
 */
export async function measureOverhead(program: Program, directory: string): Promise<Measure> {
  const rounds = 30;
  const waits = await using(startModel(20, 0), ({ url }) =>
    compare(program, join(directory, "overhead"), {
      model: url,
      settings: {},
      questions: QUESTIONS,
      rounds,
      warmUpRounds: 3,
    }),
  );
  return {
    title: "Docent compared with a bare call",
    how: `${QUESTIONS.length} questions, ${rounds} times each, alternately to Docent and, with exactly the body that Docent sends, to \`/api/chat\` itself, each on one open connection; the model is the fake one, which answers at once. Both go through a recorder in front of the model, so its time cancels out. The aim is compared with the median.`,
    figures: figures(waits, AIM_MS),
  };
}

/** Measures with a real model and a cached prompt, so that it begins at once. */
export const measureLiveOverhead = (
  program: Program,
  directory: string,
  openLive: OpenLive,
): Promise<Measure> =>
  withLive(LIVE_TITLE, openLive, async ({ url, model, is }) => {
    const rounds = 20;
    const waits = await compare(program, join(directory, "overhead-live"), {
      model: url,
      questions: QUESTIONS.slice(0, 1),
      rounds,
      warmUpRounds: 3,
      // Only the wait for the first word counts.
      settings: { model: model.name, answer_tokens: "16" },
    });
    return {
      title: LIVE_TITLE,
      how: `One question ${rounds} times, alternately to Docent and, with exactly the body that Docent sends, to \`/api/chat\` itself: each time, the model has just read the prompt and only has to begin writing. ${is}.`,
      figures: figures(waits),
    };
  });

function figures({ docent, bare }: Waits, below?: number): Figure[] {
  const own = median(bare);
  return [
    {
      name: "First text, over the bare call",
      unit: "ms",
      values: docent.map((wait) => wait - own),
      ...(below === undefined ? {} : { aim: { below } }),
    },
    { name: "First text through Docent", unit: "ms", values: docent },
    { name: "First text of the bare call", unit: "ms", values: bare },
  ];
}

async function compare(program: Program, data: string, compared: Compared): Promise<Waits> {
  const key = await prepareSite(program, data);
  const settings = { ...UNHINDERED, ...compared.settings };
  const recorder = startChatRecorder(compared.model);
  try {
    return await using(program.serve(data, settings, recorder.url), async ({ url }) => {
      const docent = await openAsking(url, DOCENT_TEXT);
      const bare = await openAsking(recorder.url, OLLAMA_TEXT);
      const waits = await inTurns(compared, {
        docent: (text) => docent.once(post(url, key, question(text))),
        bare: () => bare.once(chat(recorder)),
      });
      docent.close();
      bare.close();
      return waits;
    });
  } finally {
    await recorder.stop();
  }
}

const chat = (recorder: ChatRecorder): Asked => ({
  url: `${recorder.url}/api/chat`,
  method: "POST",
  headers: { "content-type": "application/json" },
  body: recorder.lastBody(),
});

async function inTurns(
  { questions, rounds, warmUpRounds }: Compared,
  ask: { docent: (text: string) => Promise<Told>; bare: () => Promise<Told> },
): Promise<Waits> {
  const waits: Waits = { docent: [], bare: [] };
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const text of questions) {
      const through = await ask.docent(text);
      const direct = await ask.bare();
      if (round < 0) continue;
      waits.docent.push(through.textMs);
      waits.bare.push(direct.textMs);
    }
  }
  return waits;
}
