import type { Operation } from "../operation.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";

/**
 * A copy of everything, as it is sent. A browser that is signed in sends for it by a form: over plain HTTP, only what is
 * posted says which page it comes from. It holds what no list shows, such as
 * the reader's secret: a key that only reads is refused.
 */
export function backupOperations(
  { openBackup, streams, clock }: Pick<AdminOptions, "openBackup" | "streams" | "clock">,
  guards: AdminGuards,
): Operation[] {
  return (["GET", "POST"] as const).map((method) =>
    adminOperation({
      id: method === "GET" ? "downloadBackup" : "downloadBackupByForm",
      method,
      path: "/v1/admin/backup",
      tag: "Admin: backup",
      guard: guards.serverWrites,
      records: ["backup.taken"],
      summary: method === "GET" ? "Download a backup" : "Download a backup, by a form",
      description: "A copy of the whole database, made while the server runs. It needs a key that may write.",
      replies: { 200: { description: "An SQLite database.", contentType: "application/vnd.sqlite3" } },
      async run({ record, signal }) {
        const stop = new AbortController();
        const leave = streams.add(stop);
        try {
          const { content, ended } = await openBackup(AbortSignal.any([signal, stop.signal]));
          void ended.then(leave);
          try {
            await record({ kind: "backup.taken" });
          } catch (error) {
            // Nobody is sent a copy of which nothing is kept.
            await content.cancel();
            throw error;
          }
          return new Response(content, {
            headers: {
              "content-type": "application/vnd.sqlite3",
              "content-disposition": `attachment; filename="docent-backup-${dayOf(clock())}.db"`,
            },
          });
        } catch (error) {
          leave();
          throw error;
        }
      },
    }),
  );
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
