import type { Config } from "@docent/kernel/config/settings";
import {
  type AnswerLine,
  type AnswersReport,
  createAnswerLine,
  evaluateAnswers,
} from "@docent/measuring/eval/answers/answers";
import type { SetPassages } from "@docent/measuring/eval/datasets/datasets";
import type { EvalQuestion } from "@docent/measuring/eval/question";
import type { Parts } from "@docent/running/app/parts";
import { publicUrlHere } from "@docent/running/app/served-address";
import type { Context } from "../../command.ts";
import { createProgress } from "../../output.ts";

/** A site whose answers are measured. */
export interface AnsweringSite {
  parts: Parts;
  domain: string;
  /** Where its passages stand in the set's files; undefined where the questions come from no set. */
  places: SetPassages | undefined;
}

/** Asks every question of the quoting responder and, where a model is named, of the model. */
export async function measureAnswers(
  context: Context,
  answering: AnsweringSite,
  questions: readonly EvalQuestion[],
): Promise<AnswersReport[]> {
  const reports: AnswersReport[] = [];
  for (const line of await linesOf(context.surroundings.config, answering)) {
    const progress = createProgress(context.terminal, context.surroundings.clock);
    const report = await evaluateAnswers(line, questions, {
      signal: context.signal,
      onProgress: (done) => progress.show(`${line.name}: ${done} of ${questions.length} questions answered`),
    }).finally(progress.clear);
    reports.push(report);
  }
  return reports;
}

async function linesOf(config: Config, { parts, domain, places }: AnsweringSite): Promise<AnswerLine[]> {
  const { content, answers } = parts;
  const site = await parts.people.sites.get(domain);
  const common = {
    openAnswer: (changes: Parameters<typeof answers.open>[1]) => answers.open(publicUrlHere(config), changes),
    // The named responder is measured, not the model that the site may have of its own.
    site: { ...site, settings: { ...site.settings, model: "" } },
    nowMs: () => performance.now(),
    search: content.search,
    places,
  };
  const quoting = createAnswerLine({ ...common, name: "extractive", responder: await answers.quoting() });
  // Measures a model only where one is named: whichever happens to be installed could take hours without a
  // graphics card.
  if (config.model === "auto") return [quoting];
  return [quoting, createAnswerLine({ ...common, name: config.model, responder: answers.ollama.responder })];
}
