import type { Answer, AnswerDeps } from "@docent/answering/answer/answer";
import type { Responder } from "@docent/answering/answer/responder";
import { type Curated, createCurated } from "@docent/answering/curated/curated";
import { createThreads, type Threads } from "@docent/answering/threads/threads";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { limitWarnings } from "@docent/kernel/lib/log";
import { type Ollama, openOllama } from "@docent/models/ollama/ollama";
import type { Content } from "../content.ts";
import type { Ground } from "../parts.ts";
import type { People } from "../people.ts";
import type { Answering } from "./answering.ts";

export interface Answers {
  ollama: Ollama;
  /** Answers by quoting, without a model. */
  quoting(): Promise<Responder>;
  threads: Threads;
  curated: Curated;
  /** The way from question to answer, with links under that address. An evaluation replaces parts of it. */
  open(publicUrl: string, changes?: Partial<AnswerDeps>, observe?: AnswerDeps["observe"]): Answer;
}

export function openAnswers(ground: Ground, content: Content, people: People): Answers {
  const { config, seal, clock, ids, log, storage } = ground;
  const threads = createThreads({ settings: config, store: storage.conversations.threads, clock, ids, log });
  const curated = createCurated({
    settings: config,
    store: storage.content.curated,
    embedder: content.embedder,
    clock,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
  });
  const ollama = openOllama({
    settings: config,
    buildPrompt: async (request, budget) => (await openWay()).buildPrompt(request, budget),
    line: storage.conversations.modelLine,
    seal,
    clock,
    log,
  });

  let way: Promise<Answering> | undefined;
  /** Loaded with the first question: a server that nobody asks needs none of it. */
  function openWay(): Promise<Answering> {
    way ??= import("./answering.ts").then(({ openAnswering }) =>
      openAnswering(ground, content, { people, threads, curated, responder: ollama.responder }),
    );
    return way;
  }

  return {
    ollama,
    quoting: async () => (await openWay()).quoting,
    threads,
    curated,
    open(publicUrl, changes = {}, observe) {
      let answer: Promise<Answer> | undefined;
      return async function* answered(request, signal) {
        answer ??= openWay().then(({ open }) => open(publicUrl, changes, observe));
        yield* (await answer)(request, signal);
      };
    },
  };
}
