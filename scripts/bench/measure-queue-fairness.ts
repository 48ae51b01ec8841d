import { join } from "node:path";
import { connect, encodeRequest } from "./connection.ts";
import type { Figure, Measure } from "./figures.ts";
import { type Program, startModel, using } from "./processes.ts";
import { QUESTIONS } from "./questions.ts";
import { post, prepareSite, question, UNHINDERED } from "./site.ts";

const TOKENS = 10;
const PACE_MS = 50;
const QUEUE_SECONDS = 2;
/** Keeps questions apart, so that they arrive in the order of their names. */
const APART_MS = 20;
const SETTINGS = {
  ...UNHINDERED,
  model_slots: "1",
  queue_length: "16",
  queue_seconds: String(QUEUE_SECONDS),
};
const SITES = ["bench", "other"] as const;

/** One question in the order of arrival. */
interface Arrival {
  site: (typeof SITES)[number];
  reader: string;
}

/** What one reader saw. */
interface Seen extends Arrival {
  /** From the question to the first text. */
  textMs: number;
  textAt: number;
  positions: number[];
  outcome: string;
}

const EIGHT: Arrival[] = Array.from({ length: 8 }, (_, index) => ({
  site: index % 2 === 0 ? "bench" : "other",
  reader: `${index + 1}`,
}));

/** One reader asks five questions at once, then three others come, one of them on another site. */
const GREEDY: Arrival[] = [
  ...Array.from({ length: 5 }, (): Arrival => ({ site: "bench", reader: "greedy" })),
  { site: "bench", reader: "patient" },
  { site: "bench", reader: "late" },
  { site: "other", reader: "elsewhere" },
];

export async function measureQueue(program: Program, directory: string): Promise<Measure[]> {
  const data = join(directory, "queue");
  const keys: Record<string, string> = {};
  for (const site of SITES) keys[site] = await prepareSite(program, data, site);
  return using(startModel(TOKENS, PACE_MS), (model) =>
    using(program.serve(data, SETTINGS, model.url), async ({ url }) => {
      const run = (arrivals: readonly Arrival[]) => askAll(url, keys, arrivals);
      // The first question looks up the model and loads the AI SDK.
      await run(EIGHT.slice(0, 1));
      const eight = await run(EIGHT);
      const greedy = await run(GREEDY);
      const how = `One slot, and a model that takes ${(TOKENS * PACE_MS) / 1000} seconds for an answer; the questions come ${APART_MS} ms apart, in the order of the table. A question that has waited for ${QUEUE_SECONDS} seconds (\`queue_seconds\`) is answered with quotes. The figure is the wait for the first text.`;
      return [
        measureOf("Eight readers, one slot", `${how} The readers belong alternately to two sites.`, eight),
        measureOf(
          "One reader with five questions, and three others",
          `${how} Five questions come from one reader; after them come two other readers of the same site, and one of another site.`,
          greedy,
        ),
      ];
    }),
  );
}

function measureOf(title: string, how: string, seen: readonly Seen[]): Measure {
  const order = seen.toSorted((a, b) => a.textAt - b.textAt);
  const waits = seen.map(({ textMs }) => textMs);
  const quoted = seen.filter(({ outcome }) => outcome === "quoted").length;
  return {
    title,
    how,
    figures: [
      ...seen.map((each, index): Figure => {
        const places = each.positions.length === 0 ? "none" : each.positions.join(", ");
        return {
          name: `${index + 1}. ${each.site}, reader ${each.reader}`,
          unit: "",
          values: [each.textMs],
          shown: `${Math.round(each.textMs)} ms, ${each.outcome}; served as number ${order.indexOf(each) + 1}; positions seen: ${places}`,
        };
      }),
      { name: "Quoted", unit: "", values: [quoted], shown: `${quoted} of ${seen.length}` },
      {
        name: "Longest wait for the first text",
        unit: "ms",
        values: [Math.max(...waits)],
        aim: { below: QUEUE_SECONDS * 1000 + 500 },
      },
    ],
  };
}

async function askAll(
  url: string,
  keys: Readonly<Record<string, string>>,
  arrivals: readonly Arrival[],
): Promise<Seen[]> {
  return Promise.all(
    arrivals.map(async (arrival, index) => {
      const { site, reader } = arrival;
      const asked = post(url, keys[site] ?? "", question(QUESTIONS[index] ?? QUESTIONS[0], reader), site);
      const connection = await connect(url);
      await Bun.sleep(index * APART_MS);
      let reply = "";
      let textAt = 0;
      const { status, startedAt } = await connection.send(encodeRequest(asked), (text, at) => {
        reply += text;
        if (textAt === 0 && /^0:/m.test(reply)) textAt = at;
      });
      connection.close();
      if (status !== 200 || textAt === 0) throw new Error(`a question was answered with ${status}`);
      return {
        ...arrival,
        textMs: textAt - startedAt,
        textAt,
        positions: positionsIn(reply),
        outcome: /"outcome":"(\w+)"/.exec(reply)?.[1] ?? "none",
      };
    }),
  );
}

/** Reads positions from lines such as `2:[{"type":"status","status":"waiting","position":3}]`. */
const positionsIn = (reply: string): number[] =>
  [...reply.matchAll(/"status":"waiting","position":(\d+)/g)].map(([, position]) => Number(position));
