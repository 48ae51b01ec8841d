import { z } from "zod";
import { MESSAGES_MAX, type MessageBounds } from "../messages/schema.ts";
import { describedAs, listOf } from "../request/fields.ts";
import {
  askerShape,
  type ContentPart,
  checked,
  contentSchema,
  textFormat,
  toolChoice,
  typeOf,
} from "./content.ts";

// What clients of OpenAI's responses send. What asks for nothing else than words, such as `temperature`, `include` or
// tools that may be used, is passed over. What asks for a reply of another kind, or for something that is kept elsewhere,
// is refused: its sender could not read the answer, or would take it for one to another question.

const text = (type: string, id: string) =>
  z
    .object({ type: z.literal(type), text: z.string() })
    .meta({ id })
    .transform(toText);
const toText = (part: { text: string }): ContentPart => ({ type: "text", text: part.text });

const partSchemas: Record<string, z.ZodType<ContentPart>> = {
  input_text: text("input_text", "InputTextPart"),
  output_text: text("output_text", "OutputTextPart"),
  input_image: z
    .object({ type: z.literal("input_image"), image_url: z.string().nullish() })
    .meta({ id: "InputImagePart" })
    .transform(({ image_url }) => ({ type: "file", url: image_url ?? "" })),
  input_file: z
    .object({
      type: z.literal("input_file"),
      file_data: z.string().nullish(),
      filename: z.string().nullish(),
    })
    .meta({ id: "InputFilePart" })
    .transform(({ file_data, filename }) => ({
      type: "file",
      url: file_data ?? "",
      name: filename ?? undefined,
    })),
};

/** What the conversation is made of: messages, and the ids of answers that were given here. */
export type InputItem =
  | {
      type: "message";
      role: "user" | "assistant" | "system" | "developer";
      content: ContentPart[];
      id: string | undefined;
    }
  | { type: "reference"; id: string }
  | { type: "other" };

const itemId = z.string().max(300);

/** An item by what it is. A message, and a reference, may leave out its type; what tools said is passed over. */
function itemSchema(bounds: MessageBounds) {
  const message = z
    .object({
      type: z.literal("message").nullish(),
      role: z.enum(["user", "assistant", "system", "developer"]),
      content: contentSchema(bounds, partSchemas, "InputPart"),
      id: itemId.nullish(),
    })
    .meta({ id: "InputMessage" })
    .transform(
      ({ role, content, id }): InputItem => ({ type: "message", role, content, id: id ?? undefined }),
    );
  const reference = z
    .object({ type: z.literal("item_reference").nullish(), id: itemId })
    .meta({ id: "InputReference" })
    .transform(({ id }): InputItem => ({ type: "reference", id }));
  const other = z
    .looseObject({ type: z.string() })
    .meta({ id: "OtherInput" })
    .transform((): InputItem => ({ type: "other" }));
  const schemaOf = (value: unknown) => {
    const type = typeOf(value) ?? undefined;
    if (type !== undefined && type !== "message") return type === "item_reference" ? reference : other;
    const isReference = typeof value === "object" && value !== null && "id" in value && !("role" in value);
    return type === undefined && isReference ? reference : message;
  };
  const any = z.unknown().transform((value, context) => checked(schemaOf(value), value, context));
  return describedAs(any, z.union([message, reference, other]).meta({ id: "InputItem" }));
}

/** A question, or the conversation with it. */
function inputSchema(bounds: MessageBounds) {
  const item = itemSchema(bounds);
  const items = listOf<InputItem>(item, MESSAGES_MAX);
  const content = contentSchema(bounds, partSchemas, "InputPart");
  const input = z.unknown().transform((value, context): InputItem[] => {
    if (typeof value === "string")
      return [{ type: "message", role: "user", content: checked(content, value, context), id: undefined }];
    if (Array.isArray(value)) return checked(items, value, context);
    context.addIssue({ code: "custom", message: "must be a text or a list of items" });
    return z.NEVER;
  });
  const takes = z.union([z.string().max(bounds.messageCharacters), z.array(item).max(MESSAGES_MAX)]);
  return describedAs(input, takes)
    .refine((given) => questionIn(given) !== undefined, "needs a message of the user")
    .refine((given) => questionIn(given)?.some(saysSomething) !== false, "the question is empty");
}

const questionIn = (items: InputItem[]) =>
  items.flatMap((item) => (item.type === "message" && item.role === "user" ? [item.content] : [])).at(-1);
const saysSomething = (part: ContentPart) =>
  part.type === "file" || (part.type === "text" && part.text.trim() !== "");

const METADATA_ENTRIES_MAX = 16;
const metadata = describedAs(
  z
    .record(z.string(), z.unknown())
    .refine(
      (entries) => Object.keys(entries).length <= METADATA_ENTRIES_MAX,
      `holds more than ${METADATA_ENTRIES_MAX} entries`,
    )
    .pipe(z.record(z.string().max(64), z.string().max(512))),
  z.record(z.string().max(64), z.string().max(512)).meta({ id: "ResponseRequestMetadata" }),
);

const AT_ONCE = "Docent answers at once, not in the background.";
const NO_CONVERSATIONS =
  "Docent keeps no conversations of this kind: send previous_response_id, or the conversation as input.";
const NO_PROMPTS = "Docent keeps no prompts: send the question as input.";

/** The body of a response. */
export function responseSchema(bounds: MessageBounds) {
  return z
    .object({
      model: z.string().min(1).max(300),
      input: inputSchema(bounds),
      instructions: z.string().max(bounds.messageCharacters).nullish(),
      previous_response_id: z.string().max(300).nullish(),
      stream: z.boolean().nullish(),
      store: z.boolean().nullish(),
      metadata: metadata.nullish(),
      ...askerShape,
      text: z.looseObject({ format: textFormat }).meta({ id: "ResponseTextOptions" }).nullish(),
      tool_choice: toolChoice,
      background: z.literal(false, AT_ONCE).nullish(),
      conversation: z.null(NO_CONVERSATIONS).optional(),
      prompt: z.null(NO_PROMPTS).optional(),
    })
    .meta({ id: "ResponseRequest" });
}

export type ResponseBody = z.infer<ReturnType<typeof responseSchema>>;
