import type { AnswerEvent, CitedSource } from "@docent/answering/answer/events";
import { citationOf } from "./openai-citation.ts";
import { failure, OPENAI_HEARTBEAT, type OpenaiReply } from "./openai-reply.ts";
import { idsOf, turnOfId } from "./openai-response-id.ts";

/** The fields of the request that a response repeats. */
export interface OpenaiResponseReply extends OpenaiReply {
  /** The time of completion. */
  nowSeconds: () => number;
  instructions: string | null;
  metadata: Record<string, string>;
  previousResponseId: string | null;
  user: string | null;
  safetyIdentifier: string | null;
}

type Start = Extract<AnswerEvent, { type: "start" }>;
type Finish = Extract<AnswerEvent, { type: "finish" }>;
type Failure = Extract<AnswerEvent, { type: "error" }>;
type Status = "in_progress" | "completed" | "incomplete" | "failed";

interface ResponseEvent {
  type: string;
  response?: object;
  sequence_number: number;
}

/** A thought or the answer, as far as it was written, as an item of the output. */
interface OpenItem {
  id: string;
  index: number;
  text: string;
}

/** A response that is being written. */
interface Writing {
  reply: OpenaiResponseReply;
  ids: ReturnType<typeof idsOf>;
  /** The response that it continues; null where another thread was begun than the one named. */
  previousId: string | null;
  /** Events to send. */
  events: ResponseEvent[];
  sequence: number;
  output: object[];
  thoughts: number;
  thought: OpenItem | undefined;
  /** The answer is one message, open until the end, so that citations can be added to it. */
  message: OpenItem | undefined;
  annotations: object[];
}

/**
 * Encodes events as server-sent events of OpenAI's responses. What the protocol cannot express becomes a
 * comment.
 */
export function createOpenaiResponseEncoder(reply: OpenaiResponseReply): (event: AnswerEvent) => string {
  const writing = newWriting(reply);
  return (event) => {
    take(writing, event);
    return writing.events.splice(0).map(line).join("") || OPENAI_HEARTBEAT;
  };
}

/** A whole answer as one response. Raises the answer's error; undefined where it has no end. */
export function toOpenaiResponse(
  events: readonly AnswerEvent[],
  reply: OpenaiResponseReply,
): object | undefined {
  const writing = newWriting(reply);
  for (const event of events) {
    if (event.type === "error") throw failure(event);
    take(writing, event);
    if (event.type === "finish") return writing.events.at(-1)?.response;
  }
  return undefined;
}

const newWriting = (reply: OpenaiResponseReply): Writing => ({
  reply,
  ids: idsOf({ threadId: "", turnId: "" }),
  previousId: null,
  events: [],
  sequence: 0,
  output: [],
  thoughts: 0,
  thought: undefined,
  message: undefined,
  annotations: [],
});

function take(writing: Writing, event: AnswerEvent): void {
  switch (event.type) {
    case "start":
      begin(writing, event);
      break;
    case "search":
    case "read":
    case "status":
      break;
    case "reasoning-delta":
      think(writing, event.text);
      break;
    case "text-delta":
      say(writing, event.text);
      break;
    case "source":
      cite(writing, event.source);
      break;
    case "finish":
      finish(writing, event);
      break;
    case "error":
      fail(writing, event);
  }
}

function begin(writing: Writing, { threadId, messageId: turnId }: Start): void {
  const { previousResponseId: named } = writing.reply;
  writing.ids = idsOf({ threadId, turnId });
  writing.previousId = named !== null && turnOfId(named)?.threadId === threadId ? named : null;
  for (const type of ["response.created", "response.in_progress"])
    emit(writing, type, { response: shown(writing, "in_progress") });
}

function emit(writing: Writing, type: string, fields: object): void {
  writing.events.push({ type, ...fields, sequence_number: writing.sequence++ });
}

/** Each stretch of thinking is an item. Clients show its summary, and ignore other thoughts. */
function think(writing: Writing, delta: string): void {
  if (!writing.thought) {
    const id = writing.ids.reasoning(++writing.thoughts);
    writing.thought = { id, index: writing.output.length, text: "" };
    item(writing, "added", writing.thought, reasoningItem(id, [], "in_progress"));
    emit(writing, "response.reasoning_summary_part.added", inSummary(writing.thought, { part: summary("") }));
  }
  writing.thought.text += delta;
  emit(writing, "response.reasoning_summary_text.delta", inSummary(writing.thought, { delta }));
}

function stopThinking(writing: Writing): void {
  const { thought } = writing;
  if (!thought) return;
  const { id, text } = thought;
  emit(writing, "response.reasoning_summary_text.done", inSummary(thought, { text }));
  emit(writing, "response.reasoning_summary_part.done", inSummary(thought, { part: summary(text) }));
  item(writing, "done", thought, reasoningItem(id, [summary(text)], "completed"));
  writing.thought = undefined;
}

/** The message of the answer, which begins with its first word. */
function openMessage(writing: Writing): OpenItem {
  stopThinking(writing);
  if (writing.message) return writing.message;
  const message = { id: writing.ids.message, index: writing.output.length, text: "" };
  writing.message = message;
  item(writing, "added", message, messageItem(message.id, [], "in_progress"));
  emit(writing, "response.content_part.added", inMessage(message, { part: textPart("", []) }));
  return message;
}

function say(writing: Writing, delta: string): void {
  const message = openMessage(writing);
  message.text += delta;
  emit(writing, "response.output_text.delta", inMessage(message, { delta, logprobs: [] }));
}

function cite(writing: Writing, source: CitedSource): void {
  const message = openMessage(writing);
  const annotation = { type: "url_citation", ...citationOf(source, message.text) };
  const where = { annotation_index: writing.annotations.length, annotation };
  writing.annotations.push(annotation);
  emit(writing, "response.output_text.annotation.added", inMessage(message, where));
}

function finish(writing: Writing, event: Finish): void {
  const status = event.finishReason === "stop" ? "completed" : "incomplete";
  const message = openMessage(writing);
  const part = textPart(message.text, writing.annotations);
  emit(writing, "response.output_text.done", inMessage(message, { text: message.text, logprobs: [] }));
  emit(writing, "response.content_part.done", inMessage(message, { part }));
  item(writing, "done", message, messageItem(message.id, [part], status));
  const isCut = status === "incomplete";
  const ended = {
    completed_at: isCut ? null : writing.reply.nowSeconds(),
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    usage: usageOf(event),
  };
  emit(writing, `response.${status}`, { response: { ...shown(writing, status), ...ended } });
}

/**
 * An error event, which most clients raise, and the end for those that wait for one. The text so far is not
 * in it.
 */
function fail(writing: Writing, { code, message }: Failure): void {
  const error = { type: "server_error", code, message, param: null };
  emit(writing, "error", { code, message, param: null, error });
  const ended = { error: { code: "server_error", message }, output: [] };
  emit(writing, "response.failed", { response: { ...shown(writing, "failed"), ...ended } });
}

/** Announces that an item was added to the output, or is done. */
function item(writing: Writing, what: "added" | "done", { index }: OpenItem, now: object): void {
  writing.output[index] = now;
  emit(writing, `response.output_item.${what}`, { output_index: index, item: now });
}

const inSummary = ({ id, index }: OpenItem, fields: object) => ({
  item_id: id,
  output_index: index,
  summary_index: 0,
  ...fields,
});

const inMessage = ({ id, index }: OpenItem, fields: object) => ({
  item_id: id,
  output_index: index,
  content_index: 0,
  ...fields,
});

const summary = (text: string) => ({ type: "summary_text", text });

const reasoningItem = (id: string, summaries: object[], status: Status) => ({
  id,
  type: "reasoning",
  summary: summaries,
  status,
});

const textPart = (text: string, annotations: object[]) => ({
  type: "output_text",
  text,
  annotations: [...annotations],
  logprobs: [],
});

const messageItem = (id: string, content: object[], status: Status) => ({
  id,
  type: "message",
  role: "assistant",
  status,
  content,
});

/**
 * The response in its current state. Unsupported features have fixed values: no tools, no log probabilities,
 * text only.
 */
const shown = ({ reply, ids, previousId, output }: Writing, status: Status) => ({
  id: ids.response,
  object: "response",
  created_at: reply.createdSeconds,
  completed_at: null,
  status,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: reply.instructions,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: reply.metadata,
  model: reply.model,
  output: [...output],
  parallel_tool_calls: false,
  previous_response_id: previousId,
  reasoning: { effort: null, summary: null },
  safety_identifier: reply.safetyIdentifier,
  service_tier: "default",
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "none",
  tools: [],
  top_logprobs: 0,
  top_p: null,
  truncation: "auto",
  usage: null,
  user: reply.user,
});

const usageOf = ({ usage: { promptTokens, completionTokens } }: Finish) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: promptTokens + completionTokens,
});

/** JSON.stringify escapes line ends, so an event is always two lines. */
const line = (event: ResponseEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
