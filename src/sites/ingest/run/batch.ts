import type { LedgerEntry, StagedPage } from "../stores.ts";
import type { Pass } from "./pass.ts";

// Pages and notes are written some at a time, so that a run holds few of them and makes few transactions.

const PAGES_AT_ONCE = 20;
const IMAGE_BYTES_AT_ONCE = 20_000_000;
const ENTRIES_AT_ONCE = 200;

/** Notes in the ledger what was decided of a page. */
export async function note(pass: Pass, entry: LedgerEntry): Promise<void> {
  pass.toNote.push(entry);
  passed(pass, entry.location);
  if (pass.toNote.length >= ENTRIES_AT_ONCE) await writeBatch(pass);
}

/** Puts a page with the others that are staged together. */
export async function stage(pass: Pass, page: StagedPage, entry: LedgerEntry): Promise<void> {
  pass.toStage.push({ page, entry });
  if (pass.toStage.length >= PAGES_AT_ONCE || imageBytesOf(pass) > IMAGE_BYTES_AT_ONCE)
    await writeBatch(pass);
}

const imageBytesOf = ({ toStage }: Pass) =>
  toStage
    .flatMap(({ page: { images = [] } }) => images)
    .reduce((sum, { image }) => sum + (image?.content?.length ?? 0), 0);

/** Writes what waits to be staged and noted. */
export async function writeBatch(pass: Pass): Promise<void> {
  const { toStage, toNote } = pass;
  const decided = [...toNote, ...toStage.map(({ entry }) => entry)];
  pass.toStage = [];
  pass.toNote = [];
  const staged = toStage.map(({ page }) => page);
  if (staged.length > 0) await pass.store.stage(pass.source, pass.runId, staged);
  // Behind the pages: after a crash between the two, pages are read again, never believed to be there.
  if (decided.length > 0) await pass.ledger.record(pass.source, pass.ledgerRunId, decided);
  for (const page of staged) {
    pass.counts.passages += page.passages.length;
    passed(pass, page.location);
  }
}

function passed(pass: Pass, location: string): void {
  pass.met.add(location);
  const { seen, listed } = pass;
  pass.onProgress?.({ pages: seen.size, all: listed, location });
}
