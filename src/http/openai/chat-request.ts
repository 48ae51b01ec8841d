import type { PostedMessage, PostedQuestion } from "../messages/request.ts";
import { textIn } from "../messages/text.ts";
import type { ChatCompletionBody } from "./schema.ts";

type Message = ChatCompletionBody["messages"][number];

/** What a chat completion asks. The protocol knows no threads: the conversation is what was posted. */
export function readChatCompletion(body: ChatCompletionBody): PostedQuestion {
  return {
    fp: body.safety_identifier || body.user || "anonymous",
    messages: body.messages.map(readMessage),
    threadId: undefined,
    pageSize: undefined,
    filter: undefined,
    contexts: [],
    currentPath: undefined,
  };
}

function readMessage({ role, content }: Message, index: number): PostedMessage {
  return {
    id: `message_${index}`,
    role: roleOf(role),
    text: textIn(content),
    files: content.flatMap((part) => {
      if (part.type === "image_url") return { url: part.image_url.url };
      if (part.type === "file")
        return { url: part.file.file_data ?? "", name: part.file.filename ?? undefined };
      return [];
    }),
    threadId: undefined,
  };
}

/** What a tool said is neither question nor answer. */
function roleOf(role: Message["role"]): PostedMessage["role"] {
  if (role === "tool" || role === "function") return "data";
  return role === "developer" ? "system" : role;
}
