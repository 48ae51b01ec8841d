import { z } from "zod";
import { ALWAYS, type Period } from "../../analytics/period.ts";
import { AppError } from "../../errors.ts";
import { readIsoTime } from "../../lib/iso-time.ts";
import { describedAs } from "./described-input.ts";

/** A moment in ISO 8601, as a query has it. */
export const momentSchema = describedAs(
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

/** The fields of a query that say which time is looked at. */
export const periodFields = { dateFrom: momentSchema.optional(), dateTo: momentSchema.optional() };

/** From the one on, and before the other. Raises `invalid_request` where the other comes first. */
export function readPeriod(query: { dateFrom?: number | undefined; dateTo?: number | undefined }): Period {
  const { dateFrom: from = ALWAYS.from, dateTo: to = ALWAYS.to } = query;
  if (from <= to) return { from, to };
  const message = "must not be before dateFrom";
  throw new AppError("invalid_request", `dateTo: ${message}`, { details: [{ path: "dateTo", message }] });
}
