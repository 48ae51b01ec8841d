import type { Parts } from "../../../app.ts";
import { evaluateAnswers } from "../../../eval/answers/answers.ts";
import { type AnswerLine, createAnswerLine } from "../../../eval/answers/line.ts";
import type { AnswersReport } from "../../../eval/answers/scores.ts";
import type { SetPassages } from "../../../eval/datasets/set-passages.ts";
import type { Question } from "../../../eval/question.ts";
import type { Context } from "../../command.ts";
import { createProgress } from "../../output.ts";

/** A site whose answers are measured. */
export interface Answering {
  parts: Parts;
  domain: string;
  /** Where its passages stand in the set's files; undefined where no set is asked. */
  places: SetPassages | undefined;
}

/** Asks every question of the responder that quotes and, where a model is named, of that one. */
export async function measureAnswers(
  context: Context,
  answering: Answering,
  questions: readonly Question[],
): Promise<AnswersReport[]> {
  const reports: AnswersReport[] = [];
  for (const line of await linesOf(answering)) {
    const progress = createProgress(context.terminal, context.surroundings.clock);
    const report = await evaluateAnswers(line, questions, {
      signal: context.signal,
      onProgress: (done) => progress.show(`${line.name}: ${done} of ${questions.length} questions answered`),
    }).finally(progress.clear);
    reports.push(report);
  }
  return reports;
}

async function linesOf({ parts, domain, places }: Answering): Promise<AnswerLine[]> {
  const { config, search, ollama } = parts;
  const site = await parts.sites.get(domain);
  const common = {
    openAnswer: (changes: Parameters<typeof parts.openAnswer>[1]) =>
      parts.openAnswer(parts.publicUrl(), changes),
    // What is measured is the responder that is named, and not the model that the site may have of its own.
    site: { ...site, settings: { ...site.settings, model: "" } },
    nowMs: () => performance.now(),
    search,
    places,
  };
  const quoting = createAnswerLine({ ...common, name: "extractive" });
  // Only a model that is named: what happens to be installed would take hours on a processor alone.
  if (config.model === "auto") return [quoting];
  return [quoting, createAnswerLine({ ...common, name: config.model, responder: ollama.responder })];
}
