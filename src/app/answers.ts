import manifest from "../../package.json" with { type: "json" };
import { type Answer, type AnswerDeps, createAnswer, createExtractiveResponder } from "../answer/answer.ts";
import { type AnswerCache, createAnswerCache } from "../answer/cache/cache.ts";
import { createPromptBuilder } from "../answer/prompt/prompt.ts";
import type { Responder } from "../answer/responder.ts";
import { createRewriteMemory } from "../answer/second-try/second-try.ts";
import { createSupportReader } from "../answer/support/support.ts";
import type { Config } from "../config/settings.ts";
import { type Curated, createCurated } from "../curated/curated.ts";
import type { ReaderLinks } from "../http/reader-site/signed-links.ts";
import { MINUTE_MS } from "../lib/clock.ts";
import { createPacer } from "../lib/event-loop.ts";
import { limitWarnings } from "../lib/log.ts";
import { type Ollama, openOllama } from "../ollama/ollama.ts";
import type { Search } from "../search/search.ts";
import { createPagePassages, relevanceMinOfServer } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";
import { createThreads, type Threads } from "../threads/threads.ts";
import { linkTo } from "./addresses.ts";
import type { Content } from "./content.ts";
import type { Ground } from "./parts.ts";
import type { People } from "./people.ts";

export interface Answers {
  ollama: Ollama;
  /** Answers by quoting, without a model. */
  quoting: Responder;
  threads: Threads;
  curated: Curated;
  /** The way from question to answer, with links under that address. An evaluation replaces parts of it. */
  open(publicUrl: string, changes?: Partial<AnswerDeps>, observe?: AnswerDeps["observe"]): Answer;
}

/** The dependencies of every such way. */
type LineParts = Omit<AnswerDeps, "linkTo" | "cache" | "observe">;

export function openAnswers(ground: Ground, content: Content, people: People): Answers {
  const { config, seal, clock, ids, log, storage } = ground;
  const ollama = openOllama({
    settings: config,
    buildPrompt: createPromptBuilder(content.builtin),
    line: storage.conversations.modelLine,
    seal,
    clock,
    log,
  });
  const threads = createThreads({ settings: config, store: storage.conversations.threads, clock, ids });
  const curated = createCurated({
    settings: config,
    store: storage.content.curated,
    embedder: content.embedder,
    clock,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
  });
  const quoting = createExtractiveResponder({ embedder: content.builtin });
  const line: LineParts = {
    settings: config,
    threads,
    search: content.search,
    pages: createPagePassages({ pages: storage.content.pages, store: storage.content.search }),
    embedder: content.embedder,
    responder: ollama.responder,
    curated,
    fallback: config.fallback === "extractive" ? quoting : undefined,
    paceLinking: createPacer(),
    rewrites: createRewriteMemory(),
    readSupport: createSupportReader(),
    clock,
    log,
  };
  return {
    ollama,
    quoting,
    threads,
    curated,
    open: (publicUrl, changes = {}, observe) =>
      createAnswer({
        ...line,
        cache: openCache(
          ground,
          ollama.responder,
          { ...people, ...content },
          {
            publicUrl,
            // A measured answer must not come from the cache.
            settings: Object.keys(changes).length === 0 ? config : { answer_cache_answers: 0 },
          },
        ),
        linkTo: (site, passage) => linkTo(site, passage, publicUrl, people.readerLinks.query(site, passage)),
        observe,
        ...changes,
      }),
  };
}

/** The cache of answers, which depends on the program, its settings and the address of the links. */
function openCache(
  { config, storage, clock, log }: Ground,
  responder: Responder,
  { readerLinks, search }: { readerLinks: ReaderLinks; search: Search },
  { publicUrl, settings }: { publicUrl: string; settings: Pick<Config, "answer_cache_answers"> },
): AnswerCache {
  // Everything in the program and its settings that decides what is written or where its links lead.
  const revision = (site: Site) =>
    JSON.stringify([
      manifest.version,
      config.embedding_model,
      relevanceMinOfServer(config),
      config.passage_tokens,
      config.search_rounds,
      config.search_tokens,
      config.thinking,
      config.context_tokens,
      config.answer_tokens,
      ...(site.settings.enrichment === "on" ? ["enriched"] : []),
      ...(site.url === undefined ? [publicUrl, readerLinks.identity] : []),
    ]);
  return createAnswerCache({
    store: storage.conversations.answerCache,
    search,
    responder,
    revision,
    settings,
    linksLastMs: (urls) => (urls.some(readerLinks.isSigned) ? readerLinks.lifetimeMs : undefined),
    clock,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
  });
}
