import { z } from "zod";

export const FINDING_SHAPE = z.object({
  what: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  says: z.string(),
  hint: z.string().optional(),
});

/** One line of what `doctor` says. */
export interface Finding {
  what: string;
  /** `warn` is something that works with less; `fail` is something that does not work. */
  state: "ok" | "warn" | "fail";
  says: string;
  hint?: string | undefined;
}
