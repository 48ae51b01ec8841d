import { ANYBODY, type Audience } from "@docent/sites/pages/audience";
import { z } from "zod";

const audienceSchema = z.lazy(() => z.union([z.literal("everything"), z.array(z.string())]));

/** Nothing for whoever was not known: as for questions that were asked before it was kept. */
export const writeAudience = (audience: Audience): string | null =>
  audience.length === 0 ? null : JSON.stringify(audience);

export const readAudience = (json: string | null): Audience =>
  json === null ? ANYBODY : audienceSchema.parse(JSON.parse(json));
