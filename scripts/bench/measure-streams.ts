import { join } from "node:path";
import type { Asked } from "./connection.ts";
import { type Figure, type Measure, percentile, show } from "./figures.ts";
import type { StreamResult } from "./load-spec.ts";
import { hasProcessStats, readCpuSeconds, readPeakMb } from "./process-stats.ts";
import { loadStreams, type Program, type Server, startModel, using } from "./processes.ts";
import { ask, prepareSite, UNHINDERED } from "./site.ts";

const STREAMS = 500;
const TOKENS = 100;
const PACE_MS = 100;
const FIRST_STREAMS = 20;
const LAG_AIM_MS = 20;
const FIRST_TOKEN_AIM_MS = 700;

const SETTINGS = { ...UNHINDERED, model_slots: String(STREAMS), queue_length: String(STREAMS) };

export async function measureStreams(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "streams");
  const key = await prepareSite(program, data);
  return using(startModel(TOKENS, PACE_MS), async (model) => {
    const own = await loadStreams({ asked: straight(model.url), streams: STREAMS });
    return using(program.serve(data, SETTINGS, model.url), async (server) => {
      const asked = ask(server.url, key);
      await loadStreams({ asked, streams: FIRST_STREAMS });
      const early = await loadStreams({ asked, streams: STREAMS });
      const cpuBefore = hasProcessStats ? readCpuSeconds(server.pid) : 0;
      const { streams, seconds } = await loadStreams({ asked, streams: STREAMS });
      return {
        title: `${STREAMS} streams at once`,
        how: `${STREAMS} questions sent at the same moment, each on its own connection, to a server with \`model_slots\` at ${STREAMS} and \`BUN_CONFIG_MAX_HTTP_REQUESTS\` at 1000. The fake model writes ${TOKENS} tokens to each, one every ${PACE_MS} ms, and each token carries the time at which it was sent. Finding the passages and building the prompt takes the server's only thread a few milliseconds for each question, one question after the other: that is what the first tokens wait for. They are measured twice: when the server has just started and has answered ${FIRST_STREAMS} questions, and when it has answered ${STREAMS} more, as its code is compiled while it runs. Model, server and readers share the machine's processor; the model's own figures are those of the same readers without Docent in between.`,
        figures: [
          ...streamFigures(streams),
          firstTokens("First token, of a server that has just started", early.streams),
          ...loadFigures(server, seconds, cpuBefore),
          ...waitFigures(own.streams, "The model's own: "),
        ],
      };
    });
  });
}

const straight = (url: string): Asked => ({
  url: `${url}/api/chat`,
  method: "POST",
  headers: {},
  body: "{}",
});

function streamFigures(streams: StreamResult[]): Figure[] {
  const lags = streams.flatMap(({ lagsMs }) => lagsMs);
  const whole = streams.filter(
    ({ status, inOrder, lagsMs }) => status === 200 && inOrder && lagsMs.length === TOKENS,
  );
  const lost = STREAMS * TOKENS - lags.length;
  return [
    {
      name: "Tokens lost, or streams not whole",
      unit: "",
      values: [lost + STREAMS - whole.length],
      shown: `${lost} of ${STREAMS * TOKENS}, ${STREAMS - whole.length} of ${STREAMS}`,
      aim: { below: 1 },
    },
    ...waitFigures(streams),
    { name: "First byte", unit: "ms", values: streams.map(({ firstByteMs }) => firstByteMs) },
  ];
}

function waitFigures(streams: StreamResult[], whose?: string): Figure[] {
  const lags = streams.flatMap(({ lagsMs }) => lagsMs);
  const p99 = percentile(lags, 99);
  return [
    {
      name: `${whose ?? ""}Lag of a token, from model to reader`,
      unit: "ms",
      values: lags,
      shown: `p50 ${show(percentile(lags, 50))}, p99 ${show(p99)}`,
      ...(whose === undefined ? { aim: { below: LAG_AIM_MS, measured: p99 } } : {}),
    },
    {
      ...firstTokens(`${whose ?? ""}First token`, streams),
      ...(whose === undefined ? { aim: { below: FIRST_TOKEN_AIM_MS } } : {}),
    },
  ];
}

const firstTokens = (name: string, streams: StreamResult[]): Figure => ({
  name,
  unit: "ms",
  values: streams.flatMap(({ firstTokenMs }) => firstTokenMs ?? []),
});

function loadFigures({ pid }: Server, seconds: number, cpuBefore: number): Figure[] {
  if (!hasProcessStats) return [];
  return [
    { name: "All streams, from the first question to the last end", unit: "s", values: [seconds] },
    { name: "Processor time of the server", unit: "s", values: [readCpuSeconds(pid) - cpuBefore] },
    { name: "Most memory of the server: RSS", unit: "MB", values: [readPeakMb(pid)] },
  ];
}
