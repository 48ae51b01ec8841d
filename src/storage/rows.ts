import { z } from "zod";
import { addressCheckSchema } from "../ingest/check-addresses.ts";
import { docsOverviewSchema } from "../ingest/docs-overview.ts";
import { RUN_OUTCOMES, type RunRecord } from "../ingest/stores.ts";
import { type Member, ROLES } from "../members/member.ts";
import type { MenuEntry, PageRedirect } from "../pages/navigation/navigation.ts";
import type { PageMarks } from "../pages/pages.ts";
import { siteSettingsSchema } from "../sites/settings.ts";
import { LOOK_TOOLS, type ModelLook } from "../threads/threads.ts";

// What rows hold, as the features know it: whichever engine the rows come from.

/** A row with a column for each field: NULL where the field is undefined, 1 or 0 for true or false. */
export type RowOf<Fields> = { [Name in keyof Fields]: ColumnOf<Fields[Name]> };
type ColumnOf<Value> = Value extends undefined ? null : Value extends boolean ? number : Value;

type FieldsOf<Row> = {
  [Name in keyof Row]: null extends Row[Name] ? Exclude<Row[Name], null> | undefined : Row[Name];
};

/** The fields of a row: undefined where a column is NULL. */
export const fieldsOf = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as FieldsOf<Row>;

const stringsSchema = z.array(z.string());

/** A column of JSON text that holds strings. The schema says what is wrong with others, and takes five times as long. */
export function readStrings(json: string): string[] {
  const strings: unknown = JSON.parse(json);
  return isStrings(strings) ? strings : stringsSchema.parse(strings);
}

const looksSchema = z.array(z.object({ tool: z.enum(LOOK_TOOLS), asked: z.string(), found: z.number() }));

/** A column of JSON text that holds what a model looked for; mostly nothing. */
export const readLooks = (json: string): ModelLook[] =>
  json === "[]" ? [] : looksSchema.parse(JSON.parse(json));

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Each level is a call: a menu nests no deeper than its generator's own reader goes. */
const menuSchema: z.ZodType<MenuEntry[]> = z.lazy(() =>
  z.array(
    z.object({
      label: z.string(),
      path: z.string().exactOptional(),
      href: z.string().exactOptional(),
      language: z.string().exactOptional(),
      version: z.string().exactOptional(),
      children: menuSchema,
    }),
  ),
);

/** A column of JSON text that holds a menu. */
export const readMenu = (json: string): MenuEntry[] => menuSchema.parse(JSON.parse(json));

const translationsSchema = z.record(z.string(), z.string());

/** What a column of JSON text says of a page's translations: no field for a page that stands for its own language alone. */
export const translationsIn = (json: string | null): Pick<PageMarks, "translations"> =>
  json === null ? {} : { translations: translationsSchema.parse(JSON.parse(json)) };

/** A column of JSON text that holds redirects, of which there may be many: each address with its target behind it. */
export function readRedirects(json: string): PageRedirect[] {
  const written = readStrings(json);
  return Array.from({ length: written.length >> 1 }, (_, index) => ({
    from: written[index * 2] ?? "",
    to: written[index * 2 + 1] ?? "",
  }));
}

export const writeRedirects = (redirects: readonly PageRedirect[]): string =>
  JSON.stringify(redirects.flatMap(({ from, to }) => [from, to]));

const numbersSchema = z.array(z.number());

/** A column of JSON text that holds numbers. */
export const readNumbers = (json: string): number[] => numbersSchema.parse(JSON.parse(json));

/** A site's settings; what an older row does not have gets its default. */
export const readSettings = (json: string) => siteSettingsSchema.parse(JSON.parse(json));

/** A member as it is read, with its roles beside it. */
export interface MemberRow {
  id: string;
  name: string;
  is_server_owner: number;
  is_active: number;
  created_at: number;
  last_seen_at: number | null;
  roles: string;
}

const rolesSchema = z.array(z.object({ organizationId: z.string(), role: z.enum(ROLES) }));

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    name: row.name,
    isServerOwner: row.is_server_owner === 1,
    roles: rolesSchema.parse(JSON.parse(row.roles)),
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at ?? undefined,
  };
}

/** A row of source_runs; all NULL where a join found none. */
export interface RunRow {
  startedAt: number | null;
  finishedAt: number | null;
  outcome: string | null;
  message: string | null;
  generation: number | null;
  generator: string | null;
  docsJson: string | null;
  addressesJson: string | null;
  runCountsJson: string | null;
}

const countsSchema = z.record(z.string(), z.number());
const outcomeSchema = z.enum(RUN_OUTCOMES).optional();

/** What a run counted, from its column of JSON. */
export const readCounts = (json: string) => countsSchema.parse(JSON.parse(json));

/** A run as the ledger tells of it. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    startedAt: row.startedAt ?? 0,
    finishedAt: row.finishedAt ?? undefined,
    outcome: outcomeSchema.parse(row.outcome ?? undefined),
    message: row.message ?? undefined,
    generation: row.generation ?? undefined,
    generator: row.generator ?? undefined,
    docs: row.docsJson === null ? undefined : docsOverviewSchema.parse(JSON.parse(row.docsJson)),
    addresses:
      row.addressesJson === null ? undefined : addressCheckSchema.parse(JSON.parse(row.addressesJson)),
    counts: readCounts(row.runCountsJson ?? "{}"),
  };
}
