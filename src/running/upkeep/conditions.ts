import type { ReviewedAnswer } from "@docent/answering/curated/curated";
import type { Unstored } from "@docent/answering/threads/threads";
import { DAY_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import { isoTime } from "@docent/kernel/lib/iso-time";
import type { WorsenedGeneration } from "@docent/measuring/golden/golden";
import type { ListedSource } from "@docent/sites/ingest/stores";
import type { Condition } from "@docent/sites/notices/notices";
import type { BackupsOverview } from "../backups/backups.ts";

/** Below the first the disk is nearly full, and from the second on it is not: between them nothing is said anew. */
const FREE_BYTES = { bad: 1_000_000_000, well: 2_000_000_000 };
/** The least questions in a week that are more than chance, where they are twice those of the week before. */
const QUESTIONS_MIN = 5;
const NAMES_MAX = 10;
/** What readers have seen for longer is no news, even to a destination that was added since. */
const NEWS_MS = DAY_MS;
/** So long the report of a generation is waited for: it is made when readers see the generation already. */
const REPORT_MS = 5 * MINUTE_MS;

/** Whether a report that is not there would be there by now. */
export const isReportLate = (at: number, now: number) => Math.abs(now - at) >= REPORT_MS;

/** How a source's last run ended. While one goes on, or where it was interrupted, nothing is known. */
export function sourceCondition(
  { id, location, lastRun }: Pick<ListedSource, "id" | "location" | "lastRun">,
  site: { name: string },
  url: string | undefined,
): Condition {
  const { outcome, message, finishedAt } = lastRun ?? {};
  const about = { subject: String(id), url };
  if (outcome === undefined) return { ...about, state: "unknown", title: "", text: "" };
  if (outcome !== "failed" && outcome !== "incomplete") {
    const text = `${location} is read again. Its last run ended as: ${outcome}.`;
    return { ...about, state: "well", title: `${site.name}: a source is well again`, text };
  }
  const what = outcome === "failed" ? "could not be read" : "could be read only in part";
  const said = message === undefined ? "" : ` ${message}`;
  const text = `${location} ${what} (${isoTime(finishedAt) ?? "just now"}).${said} Readers see what was read before.`;
  return { ...about, state: "bad", title: `${site.name}: a source fails`, text };
}

/** Questions of open gaps, by the week in which they came. */
export function gapsCondition(
  { now, before }: { now: number; before: number },
  site: { name: string },
  url: string | undefined,
): Condition[] {
  if (now < QUESTIONS_MIN || now < 2 * before) return [];
  const text = `In the last seven days readers asked ${now} questions that the docs do not answer; in the seven days before, ${before}.`;
  return [{ subject: "site", state: "bad", title: `${site.name}: more questions go unanswered`, text, url }];
}

/** Curated answers whose pages have changed since, or are gone: one notice for all of a site's. */
export function answersCondition(
  answers: readonly Pick<ReviewedAnswer, "name" | "concerns">[],
  site: { name: string },
  url: string | undefined,
): Condition[] {
  const stale = answers.filter(({ concerns }) =>
    concerns.some((each) => /^(?:page changed|leads to no page): /.test(each)),
  );
  if (stale.length === 0) return [];
  const named = stale.slice(0, NAMES_MAX).map(({ name, concerns }) => `${name} (${concerns.join("; ")})`);
  const more = stale.length > NAMES_MAX ? `\nand ${stale.length - NAMES_MAX} more` : "";
  const title = `${site.name}: ${stale.length === 1 ? "a curated answer" : `${stale.length} curated answers`} may be out of date`;
  const text = `What they lead to has changed, or is gone:\n${named.join("\n")}${more}`;
  return [{ subject: "site", state: "bad", title, text, url }];
}

/** Whether it has happened so lately that somebody who does not know it is told. */
export const isNews = (at: number, now: number) => Math.abs(now - at) < NEWS_MS;

/**
 * A generation that answers golden questions worse. It is told once; what is none of the news any more stays known, so
 * that a clock which is put right tells nothing again.
 */
export function goldenCondition(
  { id, at, number, before, asked, worse, said }: WorsenedGeneration,
  site: { name: string },
  { url, hasReport, now }: { url: string; hasReport: boolean; now: number },
): Condition {
  const isTold = isNews(at, now) && (hasReport || isReportLate(at, now));
  if (!isTold) return { subject: id, state: "unknown", title: "", text: "", isOnce: true };
  const of = asked === 1 ? "the golden question" : `${worse} of ${asked} golden questions`;
  const named = said.slice(0, NAMES_MAX);
  const more = worse - named.length;
  const rest = more === 0 ? [] : [named.length === 0 ? "The report shows which." : `and ${more} more`];
  return {
    subject: id,
    state: "bad",
    title: `${site.name}: ${worse === 1 ? "a golden question" : `${worse} golden questions`} got worse`,
    text: [`Generation ${number} answers ${of} worse than generation ${before}.`, ...named, ...rest].join(
      "\n",
    ),
    url: hasReport ? `${url}/content/generations/${number}` : `${url}/content/golden`,
    isOnce: true,
  };
}

export function diskCondition(directory: string, freeBytes: number, url: string | undefined): Condition {
  const megabytes = `${Math.round(freeBytes / 1_000_000)} MB`;
  const about = { subject: "disk", url };
  if (freeBytes < FREE_BYTES.bad) {
    const text = `${megabytes} are left on the disk of ${directory}. When it is full, answers are not stored.`;
    return { ...about, state: "bad", title: "The disk is nearly full", text };
  }
  if (freeBytes < FREE_BYTES.well) return { ...about, state: "unknown", title: "", text: "" };
  const text = `${megabytes} are free on the disk of ${directory}.`;
  return { ...about, state: "well", title: "The disk has room again", text };
}

/** Known to the server that answers, and to no other process. */
export function unstoredCondition(unstored: Unstored | undefined, url: string | undefined): Condition[] {
  if (unstored === undefined) return [];
  const { answers, since, hint = "Look at the server’s log." } = unstored;
  const many = answers === 1 ? "1 answer was" : `${answers} answers were`;
  const text = `Since ${isoTime(since)} questions are answered and cannot be stored: ${many} given so far. ${hint} What memory holds is stored when that is done.`;
  return [{ subject: "unstored", state: "bad", title: "Answers are not stored", text, url }];
}

/** Where backups are not scheduled, nothing is said of them. */
export function backupCondition(overview: BackupsOverview | undefined, url: string | undefined): Condition[] {
  if (overview === undefined) return [];
  const { good, failure, isOverdue } = overview;
  const newest = good === undefined ? "There is none yet." : `The newest good one is of ${isoTime(good.at)}.`;
  const about = { subject: "backup", url };
  if (failure !== undefined || isOverdue) {
    const says = failure === undefined ? "It is overdue." : failure.says;
    return [{ ...about, state: "bad", title: "A scheduled backup failed", text: `${says} ${newest}` }];
  }
  return [
    {
      ...about,
      state: good === undefined ? "unknown" : "well",
      title: "Scheduled backups succeed again",
      text: newest,
    },
  ];
}
