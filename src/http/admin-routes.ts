import { Elysia } from "elysia";
import { adminKeyOperations } from "./admin-admin-keys.ts";
import { answerOperations } from "./admin-answers.ts";
import { assistantKeyOperations } from "./admin-assistant-keys.ts";
import { backupOperations } from "./admin-backup.ts";
import { explainOperations } from "./admin-explain.ts";
import { generationOperations } from "./admin-generations.ts";
import { memberOperations } from "./admin-members.ts";
import { modelOperations } from "./admin-models.ts";
import { type AdminOperation, adminRoute } from "./admin-operation.ts";
import type { AdminOptions } from "./admin-options.ts";
import { organizationOperations } from "./admin-organizations.ts";
import { pageOperations } from "./admin-pages.ts";
import { privacyOperations } from "./admin-privacy.ts";
import { runOperations } from "./admin-runs.ts";
import { underWayOperations } from "./admin-runs-under-way.ts";
import { serverOperations } from "./admin-server.ts";
import { siteOperations } from "./admin-sites.ts";
import { sourceOperations } from "./admin-sources.ts";
import { statusOperations } from "./admin-status.ts";
import { tryOperations } from "./admin-try.ts";
import { uploadOperations } from "./admin-uploads.ts";

/** Every operation of the admin API, with its path below `/v1/admin`. */
export function adminOperations(options: AdminOptions): AdminOperation[] {
  return [
    ...statusOperations(options),
    ...organizationOperations(options),
    ...siteOperations(options),
    ...modelOperations(options),
    ...tryOperations(options),
    ...assistantKeyOperations(options),
    ...adminKeyOperations(options),
    ...memberOperations(options),
    ...sourceOperations(options),
    ...uploadOperations(options),
    ...runOperations(options),
    ...underWayOperations(options),
    ...pageOperations(options),
    ...explainOperations(options),
    ...generationOperations(options),
    ...answerOperations(options),
    ...privacyOperations(options),
    ...backupOperations(options),
    ...serverOperations(options),
  ];
}

/** The routes of the admin API: what the CLI does, for those who have an admin key. */
export function adminRoutes(options: AdminOptions) {
  const routes = new Elysia({ prefix: "/v1/admin" });
  for (const one of adminOperations(options)) routes.use(adminRoute(options.door, one));
  return routes;
}
