import { z } from "zod";

// What the operations of OpenAI's API have in common: who asks, and which kind of reply is wanted.

export const ANSWERS_IN_WORDS = "Docent answers in words.";
const NO_TOOLS = "Docent calls no tools; auto and none are accepted.";

const reader = z.string().max(200).nullish();

/** Who asks. `user` is the older name. */
export const askerShape = { user: reader, safety_identifier: reader };

/** Whose question it is: many readers have no name. */
export const askerIn = (body: {
  user?: string | null | undefined;
  safety_identifier?: string | null | undefined;
}) => body.safety_identifier || body.user || "anonymous";

export const textFormat = z
  .looseObject({ type: z.literal("text", ANSWERS_IN_WORDS) })
  .meta({ id: "TextFormat" })
  .nullish();
export const toolChoice = z.enum(["auto", "none"], NO_TOOLS).meta({ id: "ToolChoice" }).nullish();
