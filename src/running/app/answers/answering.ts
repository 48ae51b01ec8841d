import {
  type Answer,
  type AnswerDeps,
  createAnswer,
  createExtractiveResponder,
} from "@docent/answering/answer/answer";
import { type AnswerCache, createAnswerCache } from "@docent/answering/answer/cache/cache";
import { createPromptBuilder, type PromptBuilder } from "@docent/answering/answer/prompt/prompt";
import type { Responder } from "@docent/answering/answer/responder";
import { createRewriteMemory } from "@docent/answering/answer/rewriting/rewriting";
import { createSupportReader } from "@docent/answering/answer/support/support";
import type { Curated } from "@docent/answering/curated/curated";
import type { Threads } from "@docent/answering/threads/threads";
import type { ReaderLinks } from "@docent/doors/reader-site/signed-links";
import type { Search } from "@docent/finding/search/search";
import { createPagePassages, relevanceMinOfServer } from "@docent/finding/search/search";
import type { Config } from "@docent/kernel/config/settings";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { createPacer } from "@docent/kernel/lib/event-loop";
import { limitWarnings } from "@docent/kernel/lib/log";
import { VERSION_NUMBER } from "@docent/kernel/version";
import type { Site } from "@docent/sites/site/sites";
import { linkTo } from "../addresses.ts";
import type { Content } from "../content.ts";
import type { Ground } from "../parts.ts";
import type { People } from "../people.ts";

/** What turns a question into an answer. */
export interface Answering {
  quoting: Responder;
  buildPrompt: PromptBuilder;
  open(publicUrl: string, changes: Partial<AnswerDeps>, observe: AnswerDeps["observe"]): Answer;
}

/** What was there before the first question. */
interface Before {
  people: People;
  threads: Threads;
  curated: Curated;
  responder: Responder;
}

/** The dependencies of every answer. */
type LineParts = Omit<AnswerDeps, "linkTo" | "cache" | "observe">;

export function openAnswering(
  ground: Ground,
  content: Content,
  { people, threads, curated, responder }: Before,
): Answering {
  const { config, clock, log, storage } = ground;
  const quoting = createExtractiveResponder({ embedder: content.builtin });
  const line: LineParts = {
    settings: config,
    threads,
    search: content.search,
    pages: createPagePassages({ pages: storage.content.pages, store: storage.content.search }),
    listing: storage.content.pages,
    embedder: content.embedder,
    responder,
    curated,
    fallback: config.fallback === "extractive" ? quoting : undefined,
    paceLinking: createPacer(),
    rewrites: createRewriteMemory(),
    readSupport: createSupportReader(),
    clock,
    log,
  };
  return {
    quoting,
    buildPrompt: createPromptBuilder(content.builtin),
    open: (publicUrl, changes, observe) =>
      createAnswer({
        ...line,
        cache: openCache(
          ground,
          responder,
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
      VERSION_NUMBER,
      config.embedding_model,
      relevanceMinOfServer(config),
      config.passage_tokens,
      config.passage_seconds,
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
