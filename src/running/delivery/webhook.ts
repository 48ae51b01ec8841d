import type { Delivery } from "@docent/answering/handover/handover";
import { payloadOf } from "@docent/answering/handover/handover";
import { createPost, type PostOptions } from "./post.ts";

/** Posts letters as JSON, to hosts that the operator has named and to no other. */
export function createWebhooks(options: PostOptions): Delivery {
  const post = createPost(options);
  return {
    takes: post.isAddress,
    fault: post.fault,
    async deliver(letter, destination) {
      const { isTaken, status } = await post.send(destination, JSON.stringify(payloadOf(letter)));
      if (!isTaken) throw new Error(`the webhook replied with status ${status}`);
    },
  };
}
