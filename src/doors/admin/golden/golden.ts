import { GOLDEN_QUESTIONS_MAX, IMPORTABLE } from "@docent/measuring/golden/golden";
import { goldenJson, standingQuestionJson } from "@docent/measuring/golden/json";
import { z } from "zod";
import { done, gives, type Operation, reply } from "../../operation.ts";
import { keptQuestionFields, nameField } from "../../request/kept-question.ts";
import type { AdminOptions } from "../admin.ts";
import { type AdminGuards, adminOperation } from "../guard.ts";
import { checkShape, goldenShape, importedShape, standingQuestionShape } from "./shapes.ts";

const GROUPS_MAX = 100;

const questionFields = {
  ...keptQuestionFields,
  groups: z.array(nameField).max(GROUPS_MAX).optional(),
};
const newSchema = z.strictObject(questionFields).meta({ id: "NewGoldenQuestion" });
const importSchema = z
  .strictObject({
    from: z.enum(IMPORTABLE).optional(),
    questions: z
      .array(newSchema)
      .min(1)
      .max(GOLDEN_QUESTIONS_MAX * 10)
      .optional(),
  })
  .refine(({ from, questions }) => (from === undefined) !== (questions === undefined), {
    error: "name either what they are taken from, or the questions",
  })
  .meta({ id: "GoldenImport" });

const GOLDEN = "/v1/admin/sites/:domain/golden";
/** Apart from the others: a question's id may be any word. */
const QUESTIONS = `${GOLDEN}/questions`;
const TAG = "Admin: golden questions";

type GoldenOptions = Pick<AdminOptions, "golden">;

/** Questions that a site's readers should find an answer for, whatever a run changes. */
export function goldenOperations(options: GoldenOptions, guards: AdminGuards): Operation[] {
  return [
    listGolden(options, guards),
    addGolden(options, guards),
    importGolden(options, guards),
    removeGolden(options, guards),
    runGolden(options, guards),
    listChecks(options, guards),
  ];
}

const listGolden = ({ golden }: GoldenOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listGoldenQuestions",
    method: "GET",
    path: QUESTIONS,
    tag: TAG,
    guard: guards.reads,
    summary: "List the golden questions",
    replies: gives(200, "All of them, oldest first.", z.array(goldenShape)),
    run: async ({ site }) => reply((await golden.questions.list(site().id)).map(goldenJson)),
  });

const addGolden = ({ golden }: GoldenOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "addGoldenQuestion",
    method: "POST",
    path: QUESTIONS,
    tag: TAG,
    guard: guards.writes,
    records: ["golden.added"],
    summary: "Add a golden question",
    description: "`expected` names pages of the site, of which any answers it: by path, or by address.",
    body: newSchema,
    example: { question: "How do I install Acme on Linux?", expected: ["guide/install#linux"] },
    replies: gives(201, "The question that was kept.", goldenShape),
    async run({ site, record, body }) {
      const added = await golden.questions.add(site(), await body());
      const details = { questions: 1, from: "hand" };
      await record({ kind: "golden.added", subject: { id: added.id }, details });
      return reply(goldenJson(added), { status: 201 });
    },
  });

const importGolden = ({ golden }: GoldenOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "importGoldenQuestions",
    method: "POST",
    path: `${GOLDEN}/import`,
    tag: TAG,
    guard: guards.writes,
    records: ["golden.added"],
    summary: "Add golden questions from what the site keeps, or many at once",
    description:
      "`from`: the questions to measure with, the answers that readers liked with what they cite, or the curated answers with what they lead to. Questions that are kept already are left out.",
    body: importSchema,
    example: { from: "evaluation" },
    replies: gives(200, "How many were added, and what was left out.", importedShape),
    async run({ site, record, body }) {
      const { from, questions = [] } = await body();
      const imported = await (from === undefined
        ? golden.questions.addAll(site(), questions)
        : golden.questions.importFrom(site(), from));
      const details = { questions: imported.added, from: from ?? "file" };
      await record({ kind: "golden.added", details });
      return reply(imported);
    },
  });

const removeGolden = ({ golden }: GoldenOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "removeGoldenQuestion",
    method: "DELETE",
    path: `${QUESTIONS}/:id`,
    tag: TAG,
    guard: guards.writes,
    records: ["golden.removed"],
    summary: "Remove a golden question",
    replies: gives(204, "It is gone."),
    async run({ site, record, param }) {
      const id = param("id");
      await golden.questions.remove(site().id, id);
      await record({ kind: "golden.removed", subject: { id } });
      return done();
    },
  });

const runGolden = ({ golden }: GoldenOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "runGoldenQuestions",
    method: "POST",
    path: `${GOLDEN}/run`,
    tag: TAG,
    guard: guards.writes,
    summary: "Ask the golden questions of what readers see now",
    replies: gives(200, "Each question with where it finds its page.", z.array(standingQuestionShape)),
    run: async ({ site, signal }) => reply((await golden.run(site().id, signal)).map(standingQuestionJson)),
  });

const listChecks = ({ golden }: GoldenOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listGoldenChecks",
    method: "GET",
    path: `${GOLDEN}/checks`,
    tag: TAG,
    guard: guards.reads,
    summary: "List what runs made of the golden questions",
    description:
      "A check is listed before readers see what was checked. One that was refused was not published because of it.",
    replies: gives(200, "The latest twenty, newest first.", z.array(checkShape)),
    run: async ({ site }) => reply(await golden.checks(site().id)),
  });
