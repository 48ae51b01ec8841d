import type { Analytics } from "@docent/measuring/analytics";
import { z } from "zod";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import { done, gives, type Operation, reply } from "../operation.ts";
import { keptQuestionFields, labelField } from "../request/kept-question.ts";
import { evaluationQuestionShape } from "./shapes.ts";

/** Fields that are left out are taken from the turn. */
const newSchema = z
  .strictObject({
    ...keptQuestionFields,
    question: keptQuestionFields.question.optional(),
    expected: keptQuestionFields.expected.optional(),
    subset: labelField.optional(),
  })
  .meta({ id: "NewEvaluationQuestion" });

/** Readers' questions that are kept to measure with, in the form that `docent eval` takes. */
export function evaluationOperations(
  options: Pick<Analytics, "evaluation" | "turns">,
  guards: AdminGuards,
): Operation[] {
  return [
    addEvaluationQuestion(options, guards),
    listEvaluationQuestions(options, guards),
    removeEvaluationQuestion(options, guards),
    downloadEvaluationSet(options, guards),
  ];
}

const addEvaluationQuestion = (
  { evaluation, turns }: Pick<Analytics, "evaluation" | "turns">,
  guards: AdminGuards,
): Operation =>
  adminOperation({
    id: "addEvaluationQuestion",
    method: "POST",
    path: "/v1/analytics/:domain/conversations/:id/evaluation",
    tag: "Analytics",
    guard: guards.writes,
    summary: "Keep a question to measure with",
    description: "What is left out is taken from the turn: its question, and what its answer cites.",
    body: newSchema,
    example: { question: "How do I install Acme on Linux?", expected: ["guide/install#linux"] },
    replies: gives(201, "The question that was kept.", evaluationQuestionShape),
    async run({ site, param, body }) {
      // A missing turn is told of before the body is looked at.
      await turns.threadOf(site().id, param("id"));
      return reply(await evaluation.add(site().id, param("id"), await body()), { status: 201 });
    },
  });

const listEvaluationQuestions = (
  { evaluation }: Pick<Analytics, "evaluation" | "turns">,
  guards: AdminGuards,
): Operation =>
  adminOperation({
    id: "listEvaluationQuestions",
    method: "GET",
    path: "/v1/analytics/:domain/evaluation",
    tag: "Analytics",
    guard: guards.reads,
    summary: "List the questions to measure with",
    replies: gives(200, "All of them, oldest first.", z.array(evaluationQuestionShape)),
    run: async ({ site }) => reply(await evaluation.list(site().id)),
  });

const removeEvaluationQuestion = (
  { evaluation }: Pick<Analytics, "evaluation" | "turns">,
  guards: AdminGuards,
): Operation =>
  adminOperation({
    id: "removeEvaluationQuestion",
    method: "DELETE",
    path: "/v1/analytics/:domain/evaluation/:id",
    tag: "Analytics",
    guard: guards.writes,
    summary: "Drop a question to measure with",
    replies: gives(204, "It is gone."),
    async run({ site, param }) {
      await evaluation.remove(site().id, param("id"));
      return done();
    },
  });

const downloadEvaluationSet = (
  { evaluation }: Pick<Analytics, "evaluation" | "turns">,
  guards: AdminGuards,
): Operation =>
  adminOperation({
    id: "downloadEvaluationSet",
    method: "GET",
    path: "/v1/analytics/:domain/evaluation-set",
    tag: "Analytics",
    guard: guards.reads,
    summary: "Give the questions to measure with as a file",
    replies: { 200: { description: "What `docent eval` takes.", contentType: "application/x-ndjson" } },
    async run({ site }) {
      const { id, domain } = site();
      return new Response(await evaluation.file(id), {
        headers: {
          "content-type": "application/x-ndjson; charset=utf-8",
          "content-disposition": `attachment; filename="${domain}-questions.jsonl"`,
          "x-content-type-options": "nosniff",
        },
      });
    },
  });
