import type { LanguageModelV4Prompt, SharedV4Warning } from "@ai-sdk/provider";
import type { ChatMessage } from "../client/chat.ts";

type UserPart = Extract<LanguageModelV4Prompt[number], { role: "user" }>["content"][number];
type FilePart = Extract<UserPart, { type: "file" }>;

/** An AI SDK prompt as Ollama's messages. What Ollama has no words for is left out, with a warning. */
export function toChatMessages(prompt: LanguageModelV4Prompt): {
  messages: ChatMessage[];
  warnings: SharedV4Warning[];
} {
  const messages: ChatMessage[] = [];
  const warnings: SharedV4Warning[] = [];
  for (const message of prompt) {
    if (message.role === "system") messages.push({ role: "system", content: message.content });
    else if (message.role === "tool") warnings.push({ type: "unsupported", feature: "tool messages" });
    else messages.push({ role: message.role, ...toContent(message.content, warnings) });
  }
  return { messages, warnings };
}

interface AnyPart {
  type: string;
}

function toContent(parts: readonly (UserPart | AnyPart)[], warnings: SharedV4Warning[]) {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of parts) {
    if (isText(part)) texts.push(part.text);
    else {
      const image = isFile(part) ? toBase64(part) : undefined;
      if (image !== undefined) images.push(image);
      // Earlier thoughts are not sent back: templates leave them out as well.
      else if (part.type !== "reasoning")
        warnings.push({ type: "unsupported", feature: `${part.type} parts` });
    }
  }
  return { content: texts.join("\n"), ...(images.length === 0 ? {} : { images }) };
}

function isText(part: UserPart | AnyPart): part is Extract<UserPart, { type: "text" }> {
  return part.type === "text";
}

function isFile(part: UserPart | AnyPart): part is FilePart {
  return part.type === "file";
}

function toBase64({ mediaType, data }: FilePart): string | undefined {
  if (!mediaType.startsWith("image") || data.type !== "data") return undefined;
  return typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
}
