import type { GenerationReportJson, ToldGeneration } from "@docent/measuring/golden/golden";
import type { Condition } from "@docent/sites/notices/notices";
import { isNews } from "./conditions.ts";

/** A generation's report, who is told of it, and what they know of it. */
interface TellGeneration {
  generation: ToldGeneration;
  /** Of this kind and site, what was told of. */
  told: ReadonlySet<string>;
  site: { name: string };
  /** Of the site, in the dashboard. */
  url: string;
  now: number;
  /** Its report for others; undefined where it is not kept any more. */
  report(): Promise<GenerationReportJson | undefined>;
}

/**
 * What a generation changed for readers: told once, and once more whenever somebody goes back from it or to it again. What
 * was told of is told apart from what was taken back, so that each stays known while the other changes.
 */
export async function generationConditions(telling: TellGeneration): Promise<Condition[]> {
  const { generation, told, now } = telling;
  const subject = `${generation.number}:${generation.at}`;
  const undone = `${subject}:undone`;
  const known: Condition = { subject, state: "unknown", title: "", text: "" };
  if (!told.has(subject)) {
    if (generation.isUndone || !isNews(generation.at, now)) return [known];
    const found = await telling.report();
    return found === undefined || isNothing(found) ? [known] : [conditionOf(telling, subject, "news", found)];
  }
  if (generation.isUndone === told.has(undone)) return [known, { ...known, subject: undone }];
  const found = await telling.report();
  if (found === undefined) return [known, { ...known, subject: undone }];
  return [known, conditionOf(telling, undone, generation.isUndone ? "undone" : "again", found)];
}

function conditionOf(
  { generation: { number, at, visible }, site, url }: TellGeneration,
  subject: string,
  what: "news" | "undone" | "again",
  report: GenerationReportJson,
): Condition {
  const changes = changeLines(report);
  const beside = report.before === null ? [] : [`Compared with generation ${report.before}:`];
  const SAID = {
    news: { title: `readers see generation ${number}`, lines: [...beside, ...changes] },
    undone: {
      title: `generation ${number} was taken back`,
      lines: [`Readers see generation ${visible} now. What generation ${number} had changed:`, ...changes],
    },
    again: { title: `readers see generation ${number} again`, lines: [...beside, ...changes] },
  }[what];
  return {
    subject,
    state: what === "again" ? "well" : "bad",
    tells: what === "undone" ? "undone" : "news",
    title: `${site.name}: ${SAID.title}`,
    text: SAID.lines.join("\n"),
    url: `${url}/content/generations/${number}`,
    report,
    ...(what === "news" ? { happenedAt: at } : {}),
  };
}

/** Nothing that a reader could notice: as where only a menu is another one. */
const isNothing = (report: GenerationReportJson) => changeLines(report).length === 0;

function changeLines({ pages, golden, questions }: GenerationReportJson): string[] {
  const { worse = [], better = [] } = golden ?? {};
  const { gained, lost } = questions.counts;
  return [
    lineOf("Pages", Object.entries(pages.counts)),
    lineOf("Golden questions", [
      ["worse", worse.length],
      ["better", better.length],
    ]),
    lineOf("Readers’ questions", [
      ["answered now and not before", gained],
      ["not answered any more", lost],
    ]),
  ].flat();
}

function lineOf(name: string, counts: readonly (readonly [what: string, count: number])[]): string[] {
  const some = counts.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  return some.length === 0 ? [] : [`${name}: ${some.join(", ")}.`];
}
