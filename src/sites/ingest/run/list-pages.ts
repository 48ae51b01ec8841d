import { AppError } from "@docent/kernel/errors";
import type { Source } from "@docent/reading/source";
import type { ListContext, Skipped, SourceItem } from "@docent/reading/source-reader";
import { overviewOf } from "../docs-overview.ts";
import { remembered, settled, unlisted } from "./memory.ts";
import type { Pass } from "./pass.ts";
import type { IngestRequest } from "./request.ts";

/** A source that lists less than this share of its pages is asked after, if it is more than a few that are gone. */
const SHRINK_SHARE = 0.5;
const SHRINK_PAGES_MIN = 10;

type ListRequest = Pick<IngestRequest, "reader" | "signal" | "preview" | "onRecognized" | "onWritten">;

/**
 * Lists what the source has, one after the other, and notes which docs it turned out to hold: a preview ends there. Where the
 * source cannot go on, the list ends with what there is, and the pass says why.
 */
export async function* listPages(pass: Pass, request: ListRequest): AsyncGenerator<SourceItem | Skipped> {
  const { reader, signal, preview = false } = request;
  let areDocsNoted = false;
  for await (const item of untilItDies(pass, reader.list(contextOf(pass, request)))) {
    signal.throwIfAborted();
    if (pass.docs !== undefined && !areDocsNoted) {
      areDocsNoted = true;
      await pass.ledger.noteDocs(pass.source, pass.ledgerRunId, pass.docs.generator, overviewOf(pass.docs));
      if (preview) return;
    }
    yield item;
  }
  // A source that is told to stop may say that it could not go on.
  signal.throwIfAborted();
  if (pass.death !== undefined && pass.seen.size === 0) throw pass.death;
}

/** What a source reader is told of the runs before, and where it says what the source turned out to hold. */
const contextOf = (pass: Pass, { signal, onRecognized, onWritten }: ListRequest): ListContext => ({
  signal,
  remembered: (location) => remembered(pass, location),
  settled: () => settled(pass),
  keepDocs() {
    pass.keepsDocs = true;
  },
  onRecognized(docs) {
    pass.listed = docs.pages;
    if (docs.generator !== undefined) pass.docs = docs;
    else {
      pass.redirects = docs.redirects ?? [];
      pass.menu = docs.menu ?? [];
    }
    onRecognized?.(docs);
  },
  onMenu(menu) {
    pass.menu = menu;
  },
  onWritten,
});

/** Ends the list where the source itself cannot go on: what fails while a page is stored ends the run. */
async function* untilItDies(
  pass: Pass,
  items: AsyncIterable<SourceItem | Skipped>,
): AsyncGenerator<SourceItem | Skipped> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof AppError && error.code === "unavailable")) throw error;
    pass.death = error;
  }
}

/** Raises for a source that lists nothing, or far less than it did: its address may be wrong, or its server ill. */
export function checkListed(pass: Pass, force: boolean): void {
  if (force) return;
  const restricted = pass.skipped.filter(({ reason }) => reason === "restricted");
  if (pass.seen.size === 0 && restricted.length === 0) throw nothingFound(pass.source);
  // A page that is said to be not for everyone is there: it did not get lost.
  const closed = new Set(restricted.map(({ location }) => location));
  const isAskedAfter = ({ location }: { location: string }) => !closed.has(location);
  // What is listed where it was has another path, and did not get lost either.
  const isGone = ({ location }: { location: string }) => !pass.taken.has(location);
  const gone = unlisted(pass).filter((page) => page.isVisible && isAskedAfter(page) && isGone(page)).length;
  const visible = [...pass.known.values()].flat().filter((page) => !page.staged && isAskedAfter(page)).length;
  if (gone >= SHRINK_PAGES_MIN && gone > visible * SHRINK_SHARE) throw shrunk(pass.source, gone, visible);
}

function nothingFound(source: Source): AppError {
  return new AppError("invalid_request", `There are no pages in ${source.location}.`, {
    hint: "Name the place that holds the docs. What was ingested before is still there (--force takes it away).",
  });
}

function shrunk(source: Source, gone: number, visible: number): AppError {
  return new AppError(
    "conflict",
    `${source.location} no longer lists ${gone} of the ${visible} pages that it had: nothing was changed.`,
    { hint: "If they are really gone, run this again with --force. If not, look at the source first." },
  );
}
