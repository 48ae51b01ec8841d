import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { removedShape } from "./shapes.ts";

/** What readers said, deleted for good. */
export function privacyOperations(
  { retention }: Pick<AdminOptions, "retention">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "deleteThread",
      method: "DELETE",
      path: "/v1/admin/sites/:domain/threads/:id",
      tag: "Admin: privacy",
      guard: guards.writes,
      records: ["conversations.deleted"],
      summary: "Delete a conversation",
      replies: gives(200, "How much was deleted.", removedShape),
      async run({ site, record, param }) {
        const removed = await retention.removeThread(site().id, param("id"));
        await record({ kind: "conversations.deleted", details: { of: "thread", ...removed } });
        return reply(removed);
      },
    }),
    adminOperation({
      id: "deleteReader",
      method: "DELETE",
      path: "/v1/admin/sites/:domain/readers/:fp",
      tag: "Admin: privacy",
      guard: guards.writes,
      records: ["conversations.deleted"],
      summary: "Delete all that a reader said",
      replies: gives(200, "How much was deleted.", removedShape),
      async run({ site, record, param }) {
        const removed = await retention.removeReader(site().id, param("fp"));
        await record({ kind: "conversations.deleted", details: { of: "reader", ...removed } });
        return reply(removed);
      },
    }),
  ];
}
