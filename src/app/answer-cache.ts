import manifest from "../../package.json" with { type: "json" };
import { type AnswerCache, createAnswerCache } from "../answer/cache/cache.ts";
import type { Responder } from "../answer/responder.ts";
import type { Config } from "../config/settings.ts";
import type { ReaderLinks } from "../http/reader-site/signed-links.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { limitWarnings } from "../lib/log.ts";
import type { Site } from "../sites/sites.ts";
import type { Storage } from "../storage/storage.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

interface AnswerCacheParts {
  config: Config;
  answersMax: number;
  storage: Pick<Storage, "conversations">;
  responder: Responder;
  readerLinks: ReaderLinks;
  publicUrl: string;
  clock: Clock;
  log: Log;
}

/** The answers that this program gave, with these settings and links below that address. */
export function openAnswerCache(parts: AnswerCacheParts): AnswerCache {
  const { config, answersMax, storage, responder, clock, log } = parts;
  return createAnswerCache({
    store: storage.conversations.answerCache,
    responder,
    revision: (site) => revisionOf(parts, site),
    answersMax,
    linksLastMs: (site) => (linksEnd(site) ? config.reader_link_seconds * SECOND_MS : undefined),
    clock,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
  });
}

/** Citations lead to the site itself, or to the built-in reader, where a page that is not public needs a signature. */
const linksEnd = ({ url, settings }: Site) => url === undefined && !settings.public;

/** All of the program and its settings that has a say in what is written, or in where its links lead. */
function revisionOf({ config, publicUrl, readerLinks }: AnswerCacheParts, site: Site): string {
  return JSON.stringify([
    manifest.version,
    config.embedding_model,
    config.relevance_min,
    config.passage_tokens,
    config.thinking,
    config.context_tokens,
    config.answer_tokens,
    ...(site.url === undefined ? [publicUrl] : []),
    ...(linksEnd(site) ? [readerLinks.identity] : []),
  ]);
}
