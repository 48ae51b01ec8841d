import type { PastMessage, Responder, ResponderRequest } from "../../src/answering/answer/responder.ts";
import { DOMAIN, openBench } from "./retrieval/docent.ts";

const PAGE_SIZE = 5;

/**
 * Records the requests that a responder gets for questions to a site, each with the conversation before it.
 */
export interface RequestRecorder {
  record(question: string, past: PastMessage[]): Promise<ResponderRequest>;
  close(): void;
}

/** Opens the parts on a data directory, and asks with a responder that only records its requests. */
export async function openRequestRecorder(data: string): Promise<RequestRecorder> {
  const parts = await openBench(data);
  const site = await parts.people.sites.get(DOMAIN);
  let recorded: ResponderRequest | undefined;
  const responder: Responder = {
    name: "extractive",
    model: () => undefined,
    ready: async () => {},
    async *respond(request) {
      recorded = request;
      yield { type: "finish", finishReason: "stop", usage: { promptTokens: 0, completionTokens: 0 } };
    },
  };
  const answer = parts.answers.open("http://127.0.0.1:4747", {
    responder,
    fallback: undefined,
    settings: {
      answer_when: "eager",
      relevance_min: 0,
      rewrite_seconds: 0,
      search_rounds: 0,
      search_seconds: 1,
      search_tokens: 0,
    },
  });

  return {
    async record(text, past) {
      recorded = undefined;
      const events = answer(
        {
          requestId: "bench",
          reader: "bench",
          site,
          threadId: undefined,
          posted: past,
          question: {
            audience: "everything",
            questionMessageId: parts.ids.ulid(),
            text,
            keyId: undefined,
            fp: "bench",
            caller: "cli",
            currentPath: undefined,
            filter: undefined,
          },
          contexts: [],
          images: [],
          pageSize: PAGE_SIZE,
        },
        new AbortController().signal,
      );
      for await (const _ of events) {
        // Only the request matters.
      }
      if (recorded === undefined) throw new Error(`nothing was found for: ${text}`);
      return recorded;
    },
    close: () => parts.close(),
  };
}
