import { storedName } from "@docent/answering/threads/threads";
import { AppError } from "@docent/kernel/errors";
import { CURSOR_CHARACTERS_MAX } from "@docent/kernel/lib/cursor";
import { readIsoTime } from "@docent/kernel/lib/iso-time";
import { FAULTS_MAX } from "@docent/kernel/lib/schema-faults";
import { ALWAYS, type Period } from "@docent/measuring/analytics/stores";
import { z } from "zod";

// Fields that the bodies and queries of several operations have.

/** What schemas take whose checks are code. A refined schema inherits the entry. */
const described = z.registry<{ takes: unknown }>();

/** Notes what a schema takes that checks by code, which no document could show. */
export function describedAs<S extends z.ZodType>(schema: S, takes: z.ZodType): S {
  described.add(schema, { takes });
  return schema;
}

/** What was noted of a schema by `describedAs`. */
export function describedInput(schema: z.core.$ZodType): z.ZodType | undefined {
  const takes = described.get(schema)?.takes;
  return takes instanceof z.ZodType ? takes : undefined;
}

/** Text as SQLite and JSON can both hold it: SQLite ends a text at NUL, and JSON may hold halves of characters. */
export const storableText = (text: string) => text.replaceAll("\0", "").toWellFormed();

/**
 * A list of at most so many items that each fit the schema. Checking stops after a number of faults, so that a long list
 * of wrong items costs little.
 */
export function listOf<T>(item: z.ZodType<T>, itemsMax: number) {
  const all = z.array(z.unknown()).max(itemsMax, `holds more than ${itemsMax} items`);
  const list = all.transform((items, context): T[] => {
    const fitting: T[] = [];
    for (const [index, each] of items.entries()) {
      const result = item.safeParse(each);
      if (result.success) fitting.push(result.data);
      for (const { path, message } of result.error?.issues.slice(0, FAULTS_MAX) ?? []) {
        context.addIssue({ code: "custom", path: [index, ...path], message });
      }
      if (context.issues.length >= FAULTS_MAX) break;
    }
    return fitting;
  });
  return describedAs(list, z.array(item).max(itemsMax));
}

/** A moment in ISO 8601, as a query has it. */
const momentField = describedAs(
  z
    .string()
    .max(50)
    .transform((text, context) => {
      const at = readIsoTime(text);
      if (at !== undefined) return at;
      const message = "must be a date such as 2026-01-31, or a time such as 2026-01-31T09:00:00Z";
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
);

/** The fields of a query that asks about a period. */
export const periodFields = { dateFrom: momentField.optional(), dateTo: momentField.optional() };

/** The period from `dateFrom` up to `dateTo`. Raises `invalid_request` where they are the wrong way round. */
export function readPeriod(query: { dateFrom?: number | undefined; dateTo?: number | undefined }): Period {
  const { dateFrom: from = ALWAYS.from, dateTo: to = ALWAYS.to } = query;
  if (from <= to) return { from, to };
  const message = "must not be before dateFrom";
  throw new AppError("invalid_request", `dateTo: ${message}`, { details: [{ path: "dateTo", message }] });
}

const LIMIT = 100;
const LIMIT_MAX = 1000;

const limitNumber = z.int().min(1).max(LIMIT_MAX);
const limit = describedAs(
  z
    .string()
    .regex(/^\d{1,6}$/, `must be a whole number from 1 to ${LIMIT_MAX}`)
    .transform(Number)
    .pipe(limitNumber),
  limitNumber,
);

/** The place in a list to go on from, as the part before gave it. */
export const cursorField = describedAs(
  z.string().max(CURSOR_CHARACTERS_MAX),
  z.base64url().max(CURSOR_CHARACTERS_MAX),
).optional();

/** The fields of a query that asks for a part of a list. */
export const listFields = { ...periodFields, limit: limit.default(LIMIT), cursor: cursorField };

/** Of any length, as the contract has it: what is longer than any label of a page matches none. */
const label = z.string();

/** The pages that a question or a search is narrowed to. */
export const pageFilterSchema = z
  .object({
    version: label.nullish(),
    language: label.nullish(),
    tag: label.nullish(),
    groups: z.array(label).max(50).nullish(),
  })
  .meta({ id: "PageFilter" });

/** With another sign for NUL: what is left of a label must not be nothing, which filters nothing. */
const storableLabel = (text: string) => storedName(storableText(text.replaceAll("\0", "\uFFFD")));

/** A filter as features take it: undefined in place of null. */
export const readPageFilter = ({ version, language, tag, groups }: z.infer<typeof pageFilterSchema>) => ({
  version: version == null ? undefined : storableLabel(version),
  language: language == null ? undefined : storableLabel(language),
  tag: tag == null ? undefined : storableLabel(tag),
  groups: groups?.map(storableLabel),
});
