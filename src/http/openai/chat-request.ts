import type { PostedMessage, PostedQuestion } from "../messages/question.ts";
import { textIn } from "../messages/text.ts";
import { askerIn } from "./asked-for.ts";
import type { ChatCompletionBody } from "./chat-schema.ts";
import { filesIn } from "./content.ts";

type Message = ChatCompletionBody["messages"][number];

/** What a chat completion asks. The protocol knows no threads: the conversation is what was posted. */
export function readChatCompletion(body: ChatCompletionBody): PostedQuestion {
  return {
    fp: askerIn(body),
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
    files: filesIn(content),
    threadId: undefined,
  };
}

/** What a tool said is neither question nor answer. */
function roleOf(role: Message["role"]): PostedMessage["role"] {
  if (role === "tool" || role === "function") return "data";
  return role === "developer" ? "system" : role;
}
