import { gives } from "../operation/gives.ts";
import { type AdminOperation, operation, reply } from "./operation.ts";
import type { AdminOptions } from "./options.ts";
import { removedShape } from "./shapes.ts";

/** What readers said, deleted for good. */
export function privacyOperations({ retention }: Pick<AdminOptions, "retention">): AdminOperation[] {
  return [
    operation({
      method: "DELETE",
      path: "/sites/:domain/threads/:id",
      writes: true,
      summary: "Delete a conversation",
      replies: gives(200, "How much was deleted.", removedShape),
      run: async ({ site, param }) => reply(await retention.removeThread(site().id, param("id"))),
    }),
    operation({
      method: "DELETE",
      path: "/sites/:domain/readers/:fp",
      writes: true,
      summary: "Delete all that a reader said",
      replies: gives(200, "How much was deleted.", removedShape),
      run: async ({ site, param }) => reply(await retention.removeReader(site().id, param("fp"))),
    }),
  ];
}
