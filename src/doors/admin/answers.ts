import { answerJson, type Curated } from "@docent/answering/curated/curated";
import { AppError } from "@docent/kernel/errors";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { done, gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { answerShape } from "./shapes.ts";

const label = z.string().max(100).default("");
const answerSchema = z
  .strictObject({ markdown: z.string(), version: label, language: label })
  .meta({ id: "WrittenAnswer" });

/** Names of curated answers have slashes in them. */
const ONE = "/v1/admin/sites/:domain/answers/*";

/** Curated answers, and what should be looked at in them. */
export function answerOperations(
  { curated }: Pick<AdminOptions, "curated">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listCuratedAnswers",
      method: "GET",
      path: "/v1/admin/sites/:domain/answers",
      tag: "Admin: curated answers",
      guard: guards.reads,
      summary: "List the curated answers",
      replies: gives(200, "The answers, with what should be looked at in them.", z.array(answerShape)),
      run: async ({ site }) => reply((await curated.review(site())).map(answerJson)),
    }),
    adminOperation({
      id: "getCuratedAnswer",
      method: "GET",
      path: ONE,
      tag: "Admin: curated answers",
      guard: guards.reads,
      summary: "Show a curated answer",
      replies: gives(200, "One for each version and language.", z.array(answerShape)),
      run: async ({ site, param }) => reply(await named(curated, site(), decodePercent(param("*")))),
    }),
    writeAnswer(curated, guards),
    adminOperation({
      id: "deleteCuratedAnswer",
      method: "DELETE",
      path: ONE,
      tag: "Admin: curated answers",
      guard: guards.writes,
      records: ["answer.deleted"],
      summary: "Delete a curated answer",
      replies: gives(204, "It is gone, in every version and language."),
      async run({ site, record, param }) {
        const name = decodePercent(param("*"));
        await curated.remove(site(), name);
        await record({ kind: "answer.deleted", subject: { name } });
        return done();
      },
    }),
  ];
}

const writeAnswer = (curated: Curated, guards: AdminGuards): Operation =>
  adminOperation({
    id: "writeCuratedAnswer",
    method: "PUT",
    path: ONE,
    tag: "Admin: curated answers",
    guard: guards.writes,
    records: ["answer.written"],
    summary: "Write a curated answer",
    example: { markdown: "---\nquestion: Is there a Windows build?\n---\nYes, one file." },
    replies: gives(200, "All of that name.", z.array(answerShape)),
    body: answerSchema,
    async run({ site, record, param, body }) {
      const name = decodePercent(param("*"));
      await curated.add(site(), { name, ...(await body()) });
      await record({ kind: "answer.written", subject: { name } });
      return reply(await named(curated, site(), name));
    },
  });

/** Several versions and languages may have an answer of one name. */
async function named(curated: Curated, site: Site, name: string) {
  const found = (await curated.review(site)).filter((answer) => answer.name === name);
  if (found.length === 0) throw new AppError("not_found", `There is no curated answer ${name}.`);
  return found.map(answerJson);
}
