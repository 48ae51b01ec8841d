import type { Tool } from "@docent/answering/answer/responder";
import type { ChatTool } from "../client/client.ts";
import { faultOf } from "../faults.ts";

/** Tools as Ollama takes them. */
export function toTools(tools: readonly Tool[]): { tools: ChatTool[] } {
  return { tools: tools.map((tool) => ({ type: "function", function: tool })) };
}

/** Whether a chat failed because the server takes no tools, for this model or at all. */
export function refusesTools(error: unknown): boolean {
  const fault = faultOf(error);
  return fault?.kind === "status" && fault.status === 400 && /\btools?\b/i.test(fault.message);
}
