import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { EvaluationQuestion, EvaluationStore } from "../analytics/stores.ts";
import { draftEvaluation } from "./drafts.ts";
import type { Turns } from "./turns.ts";

/** What an owner changes of a question before it is kept; the turn's own where it is left out. */
interface EvaluationChanges {
  question?: string | undefined;
  expected?: string[] | undefined;
  subset?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
}

interface EvaluationDeps {
  store: EvaluationStore;
  turns: Pick<Turns, "get">;
  clock: Clock;
  ids: Ids;
}

/** More than anybody looks through; `docent eval` takes any number. */
const EVALUATION_QUESTIONS_MAX = 2000;

/** Questions of readers, kept to measure search with. */
export function createEvaluation({ store, turns, clock, ids }: EvaluationDeps) {
  return {
    async list(siteId: number) {
      return (await store.list(siteId, EVALUATION_QUESTIONS_MAX)).map(toJson);
    },

    /** A turn's question as it would be kept. Raises `not_found` for a turn that the site does not have. */
    draft: async (siteId: number, turnId: string) => draftEvaluation(await turns.get(siteId, turnId)),

    /** Keeps a turn's question. Raises `not_found` for a turn that the site does not have. */
    async add(siteId: number, turnId: string, changes: EvaluationChanges) {
      const draft = draftEvaluation(await turns.get(siteId, turnId));
      const expected = changes.expected ?? draft.expected;
      if (expected.length === 0) throw fault("expected", "names no page, and the answer cites none");
      if ((await store.count(siteId)) >= EVALUATION_QUESTIONS_MAX)
        throw new AppError(
          "too_large",
          `A site keeps at most ${EVALUATION_QUESTIONS_MAX} of these questions.`,
        );
      const added: EvaluationQuestion = {
        id: ids.ulid(),
        turnId,
        expected,
        at: clock(),
        question: changes.question ?? draft.question,
        subset: changes.subset ?? "",
        version: changes.version ?? draft.version,
        language: changes.language ?? draft.language,
      };
      await store.add(siteId, added);
      return toJson(added);
    },

    /** Raises `not_found` where the site has none of that id. */
    async remove(siteId: number, id: string): Promise<void> {
      if (!(await store.remove(siteId, id))) throw new AppError("not_found", "Not found");
    },

    /** All of them as lines of JSON, as `docent eval` reads them. */
    async file(siteId: number): Promise<string> {
      const questions = await store.list(siteId, EVALUATION_QUESTIONS_MAX);
      return questions.map((each) => `${JSON.stringify(toLine(each))}\n`).join("");
    },
  };
}

function toLine({ question, expected, subset, version, language }: EvaluationQuestion) {
  return {
    question,
    // The first page of a site has an empty path, which a line may not have.
    expected: expected.map((place) => place || "/"),
    ...(subset === "" ? {} : { subset }),
    ...(version === "" ? {} : { version }),
    ...(language === "" ? {} : { language }),
  };
}

function toJson({ at, turnId, ...question }: EvaluationQuestion) {
  return { ...question, messageId: turnId ?? null, addedAt: new Date(at).toISOString() };
}

export type ShownEvaluationQuestion = ReturnType<typeof toJson>;

function fault(path: string, message: string): AppError {
  return new AppError("invalid_request", `${path}: ${message}`, { details: [{ path, message }] });
}
