import type { Admin } from "@docent/people/keys/admin-keys";
import type { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions, ModelServerState } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { modelsShape, serverStateShape, summaryShape } from "./shapes.ts";

/** The state of a running server. */
export type ServerState = z.output<typeof serverStateShape>;

/** The operation that shows the server itself. */
export function serverOperations(
  { describeServer }: Pick<AdminOptions, "describeServer">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "getServer",
      method: "GET",
      path: "/v1/admin/server",
      tag: "Admin: status",
      guard: guards.serverReads,
      summary: "Show the server's version, its data and where its metrics are",
      replies: gives(200, "The server.", serverStateShape),
      run: async () => reply(await describeServer()),
    }),
  ];
}

type StatusOptions = Pick<AdminOptions, "sites" | "pages" | "siteSources" | "describeModels" | "version">;

/** Numbers of what an admin may see, and whether a model answers. */
export function statusOperations(options: StatusOptions, guards: AdminGuards): Operation[] {
  const { sites, pages, siteSources, describeModels, version } = options;
  /** The organization that a key opens; null for a key of the server. */
  const organizationOf = async ({ isServer, sees }: Admin) =>
    isServer ? null : ((await sites.listOrganizations()).find(({ id }) => sees(id))?.id ?? null);
  return [
    adminOperation({
      id: "getSummary",
      method: "GET",
      path: "/v1/admin/summary",
      tag: "Admin: status",
      guard: guards.reads,
      summary: "Show what is open to who asks, in numbers",
      replies: gives(200, "The numbers.", summaryShape),
      async run({ admin }) {
        const managed = (await sites.list()).filter(({ organizationId }) => admin.manages(organizationId));
        const counts = await Promise.all(managed.map(({ id }) => pages.countPages(id)));
        const sources = await Promise.all(managed.map(({ id }) => siteSources.list(id)));
        return reply({
          version,
          key:
            admin.kind === "key"
              ? { organizationId: await organizationOf(admin), mayWrite: admin.mayWrite }
              : null,
          sites: managed.length,
          sources: sources.flat().length,
          pages: sum(counts.map((count) => count.pages)),
          passages: sum(counts.map(({ passages }) => passages)),
        });
      },
    }),
    adminOperation({
      id: "getModelStatus",
      method: "GET",
      path: "/v1/admin/ollama",
      tag: "Admin: status",
      guard: guards.reads,
      summary: "Show whether a model answers",
      replies: gives(200, "The model, and for owners and keys of the server the servers.", modelsShape),
      async run({ admin, signal }) {
        const state = await describeModels(signal);
        // Where a model runs, and why one does not, is told to the operator alone.
        return reply({
          model: state.model ?? null,
          ...(admin.isServer ? { servers: state.servers.map(serverJson) } : {}),
        });
      },
    }),
  ];
}

function serverJson({ url, model, says, reason, hint }: ModelServerState) {
  return { url, model: model ?? null, says: says ?? null, reason: reason ?? null, hint: hint ?? null };
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
