import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import {
  type GapList,
  type GapPosition,
  type Gaps,
  gapJson,
  gapQuestionJson,
} from "@docent/measuring/gaps/gaps";
import { z } from "zod";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { listFields } from "../request/fields.ts";
import { gapShape, gapStateShape, gapsShape, gapWithQuestionsShape } from "./shapes.ts";

const positionSchema = z
  .tuple([z.int(), z.int(), z.string().max(40)])
  .transform(([count, lastAskedAt, id]): GapPosition => ({ count, lastAskedAt, id }));

const listSchema = z.object({ state: gapStateShape.optional(), ...listFields });

const stateSchema = z.strictObject({ state: gapStateShape }).meta({ id: "GapChange" });

/** What the docs do not answer: `/v1/analytics/{domain}/gaps`. */
export function gapOperations(gaps: Gaps, guards: AdminGuards): Operation[] {
  return [
    adminOperation({
      id: "listGaps",
      method: "GET",
      path: "/v1/analytics/:domain/gaps",
      tag: "Analytics",
      guard: guards.reads,
      summary: "List what the docs do not answer",
      replies: gives(200, "A part of the list, what was asked most often first.", gapsShape),
      query: listSchema,
      async run({ site, query, signal }) {
        const { dateFrom: from, dateTo: until, cursor, ...rest } = query();
        const after = cursor === undefined ? undefined : readCursor(positionSchema, cursor);
        return reply(listJson(await gaps.list(site(), { ...rest, from, until, after }, signal)));
      },
    }),
    adminOperation({
      id: "getGap",
      method: "GET",
      path: "/v1/analytics/:domain/gaps/:id",
      tag: "Analytics",
      guard: guards.reads,
      summary: "Show a gap with its questions",
      replies: gives(200, "The gap, and its newest questions.", gapWithQuestionsShape),
      async run({ site, param }) {
        const { gap, questions } = await gaps.get(site(), param("id"));
        return reply({ ...gapJson(gap), questions: questions.map(gapQuestionJson) });
      },
    }),
    adminOperation({
      id: "setGapState",
      method: "POST",
      path: "/v1/analytics/:domain/gaps/:id",
      tag: "Analytics",
      guard: guards.writes,
      summary: "Say what became of a gap",
      replies: gives(200, "The gap as it is now.", gapShape),
      body: stateSchema,
      async run({ site, param, body }) {
        const { state } = await body();
        return reply(gapJson(await gaps.set(site(), param("id"), state)));
      },
    }),
  ];
}

function listJson({ gaps, hasMore, waiting }: GapList) {
  const last = gaps.at(-1);
  const nextCursor = hasMore && last ? writeCursor([last.count, last.lastAskedAt, last.id]) : null;
  return { gaps: gaps.map(gapJson), nextCursor, hasMore, waiting };
}
