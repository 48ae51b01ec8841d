import { z } from "zod";
import { type MessageBounds, PARTS_MAX, withinCharacters } from "../messages/schema.ts";
import { describedAs, listOf } from "../request/fields.ts";

/** A part of a message, whichever operation it was sent to. */
export type ContentPart =
  | { type: "text"; text: string }
  | { type: "file"; url: string; name?: string | undefined }
  | { type: "other" };

/** A part of a type that says nothing here, or that does not exist yet. */
const otherPart = z
  .looseObject({ type: z.string() })
  .meta({ id: "OtherPart" })
  .transform((): ContentPart => ({ type: "other" }));

/** What a message holds: a text, a list of parts, or nothing, as where an assistant called a tool. */
export function contentSchema(
  { messageCharacters }: MessageBounds,
  partSchemas: Record<string, z.ZodType<ContentPart>>,
  partName: string,
) {
  const byType = new Map<unknown, z.ZodType<ContentPart>>(Object.entries(partSchemas));
  const anyPart = z.unknown().transform((value, context): ContentPart => {
    return checked(byType.get(typeOf(value)) ?? otherPart, value, context);
  });
  const part = describedAs(anyPart, z.union([...byType.values(), otherPart]).meta({ id: partName }));
  const parts = listOf<ContentPart>(part, PARTS_MAX);
  const content = z.unknown().transform((value, context): ContentPart[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === "string") return [{ type: "text", text: value }];
    if (Array.isArray(value)) return checked(parts, value, context);
    context.addIssue({ code: "custom", message: "must be a text or a list of parts" });
    return z.NEVER;
  });
  const takes = z.union([z.string().max(messageCharacters), z.array(part)]).nullish();
  return describedAs(content, takes).refine(...withinCharacters(messageCharacters));
}

/** The text and the files of what a message holds. */
export const filesIn = (parts: ContentPart[]) =>
  parts.flatMap((part) => (part.type === "file" ? { url: part.url, name: part.name } : []));

/** What a value says that it is. */
export const typeOf = (value: unknown) =>
  typeof value === "object" && value !== null && "type" in value ? value.type : undefined;

/** The value by a schema that is chosen by what the value is, so that a fault is said of its own place. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, context: z.RefinementCtx): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
}

// What the operations of OpenAI's API have in common: who asks, and which kind of reply is wanted.

export const ANSWERS_IN_WORDS = "Docent answers in words.";
const NO_TOOLS = "Docent calls no tools; auto and none are accepted.";

const reader = z.string().nullish();

/** Who asks. `user` is the older name. */
export const askerShape = { user: reader, safety_identifier: reader };

/** What a body may say of the reader for whom it asks. */
export interface AskerFields {
  user?: string | null | undefined;
  safety_identifier?: string | null | undefined;
}

/** Whose question it is: many readers have no name. */
export const askerIn = (body: AskerFields) => body.safety_identifier || body.user || "anonymous";

export const textFormat = z
  .looseObject({ type: z.literal("text", ANSWERS_IN_WORDS) })
  .meta({ id: "TextFormat" })
  .nullish();
export const toolChoice = z.enum(["auto", "none"], NO_TOOLS).meta({ id: "ToolChoice" }).nullish();
