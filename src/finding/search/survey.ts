import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { productNames } from "./asking/asking.ts";
import type { KeywordIndex, KeywordView } from "./keyword-index/keyword-index.ts";
import {
  bestOf,
  type ProposingSteps,
  proposeAll,
  readAsWritten,
  similaritiesOf,
  type Where,
} from "./propose.ts";
import type { Asked, Judge, Survey } from "./relevance/relevance.ts";
import { weighTerms } from "./term-weights.ts";

// What a whole list of plain questions finds, by the evidence of relevance alone. The index is opened once for all of them.
// Nothing is judged, no text of a passage is read, and nothing is ranked beyond what is proposed.

interface SurveySteps extends ProposingSteps {
  index: KeywordIndex;
  judge: Pick<Judge, "evidence">;
}

/** How many passages are asked for: as many as an answer is written from. */
const ASKED_FOR = 10;
const READ = { asYouType: false, corrects: true };

/** Opens a site's index for plain questions: a sentence in English each, which tells nothing of whoever asks. */
export async function openSurvey(steps: SurveySteps, where: Where): Promise<Survey> {
  const { scope, state, isEnriched } = where;
  const view = await steps.index.open(scope, state.segments, isEnriched ? state.enrichment.segments : []);
  return { passages: view.passages, ask: (question) => ask(steps, { ...where, view }, question) };
}

async function ask(
  steps: SurveySteps,
  where: Where & { view: KeywordView },
  question: string,
): Promise<Asked> {
  const { view } = where;
  const { text, query, frequencies } = await readAsWritten(steps, view, question, READ);
  const weights = weighTerms(query.terms, frequencies, query.shares);
  const known = new Map([...weights].filter(([term]) => frequencies.of.has(term)));
  const ofProduct = productNames(query.terms, frequencies, await steps.ordinaryWords());
  const { words, meaning, fused } = await proposeAll(
    steps,
    { pageSize: ASKED_FOR },
    { ...where, text, lines: [], query, names: [], ofProduct, frequencies, known },
  );
  await letOthersRun();
  const similarities = similaritiesOf(fused);
  const takeEvidence = await steps.judge.evidence({ text, query, ofProduct, frequencies, similarities });
  const best = bestOf(fused, ASKED_FOR, words);
  const wordsById = await view.wordsOf(
    best.map(({ passageId }) => passageId),
    { terms: query.terms, phrases: [], prefix: undefined, neighbours: [] },
  );
  const [first = takeEvidence(new Set(), undefined), ...others] = best.flatMap(
    ({ passageId, similarity }) => {
      const own = wordsById.get(passageId);
      return own === undefined ? [] : [takeEvidence(own.terms.union(own.added), similarity)];
    },
  );
  return { evidence: [first, ...others], byMeaning: meaning !== undefined };
}
