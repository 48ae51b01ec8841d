import { Elysia } from "elysia";
import { adminKeyOperations } from "./admin-admin-keys.ts";
import { answerOperations } from "./admin-answers.ts";
import { assistantKeyOperations } from "./admin-assistant-keys.ts";
import { backupOperations } from "./admin-backup.ts";
import { generationOperations } from "./admin-generations.ts";
import { type AdminOperation, adminRoute } from "./admin-operation.ts";
import type { AdminOptions } from "./admin-options.ts";
import { organizationOperations } from "./admin-organizations.ts";
import { privacyOperations } from "./admin-privacy.ts";
import { runOperations } from "./admin-runs.ts";
import { siteOperations } from "./admin-sites.ts";
import { sourceOperations } from "./admin-sources.ts";
import { statusOperations } from "./admin-status.ts";

/** Every operation of the admin API, with its path below `/v1/admin`. */
export function adminOperations(options: AdminOptions): AdminOperation[] {
  return [
    ...statusOperations(options),
    ...organizationOperations(options),
    ...siteOperations(options),
    ...assistantKeyOperations(options),
    ...adminKeyOperations(options),
    ...sourceOperations(options),
    ...runOperations(options),
    ...generationOperations(options),
    ...answerOperations(options),
    ...privacyOperations(options),
    ...backupOperations(options),
  ];
}

/** The routes of the admin API: what the CLI does, for those who have an admin key. */
export function adminRoutes(options: AdminOptions) {
  const routes = new Elysia({ prefix: "/v1/admin" });
  for (const one of adminOperations(options)) routes.use(adminRoute(options.door, one));
  return routes;
}
