import { NotHere } from "../bounded.ts";
import { MODELS, type ModelSource } from "../live/models.ts";
import { openLiveOllama } from "../live/ollama.ts";
import type { Measure } from "./figures.ts";

/** The chat model that follows instructions, as far as one of its size can. */
const MODEL_NAME = "smollm2";
const OBTAIN_MS = 5 * 60_000;

/** A real Ollama that measurements share, with one chat model. */
export interface Live {
  url: string;
  model: ModelSource;
  /** Its description, for the report. */
  is: string;
}

/** Opens it when a measurement first needs it; raises NotHere where none is available. */
export type OpenLive = () => Promise<Live>;

/** Whatever is started goes onto the stack. */
export function createLive(stack: AsyncDisposableStack, say: (line: string) => void): OpenLive {
  let opened: Promise<Live> | undefined;
  async function open(): Promise<Live> {
    const model = MODELS.find(({ name }) => name === MODEL_NAME);
    if (model === undefined) throw new NotHere(`there is no model ${MODEL_NAME}`);
    const untilMs = Date.now() + OBTAIN_MS;
    const { server, version } = await openLiveOllama(stack, { models: [model], untilMs, say });
    return { url: server.url, model, is: `Ollama ${version} with ${model.is}, on one thread` };
  }
  return () => {
    opened ??= open();
    return opened;
  };
}

/** Measures with a real Ollama; where none is available, the page says so and has no figures. */
export async function withLive(
  title: string,
  openLive: OpenLive,
  work: (live: Live) => Promise<Measure>,
): Promise<Measure> {
  try {
    return await work(await openLive());
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    return { title, how: `Not measured: no real Ollama could be had (${error.message}).`, figures: [] };
  }
}
