import type { Operation } from "../operation.ts";
import { adminKeyOperations } from "./admin-keys.ts";
import { answerOperations } from "./answers.ts";
import { assistantKeyOperations } from "./assistant-keys.ts";
import { backupOperations } from "./backup.ts";
import { explainOperations } from "./explain.ts";
import { generationOperations } from "./generations.ts";
import type { AdminGuards } from "./guard.ts";
import { memberOperations } from "./members.ts";
import { modelOperations } from "./models.ts";
import type { AdminOptions } from "./options.ts";
import { organizationOperations } from "./organizations.ts";
import { pageOperations } from "./pages.ts";
import { privacyOperations } from "./privacy.ts";
import { serverOperations, statusOperations } from "./server.ts";
import { siteOperations } from "./sites.ts";
import { runOperations, underWayOperations } from "./sources/runs.ts";
import { sourceOperations } from "./sources/sources.ts";
import { uploadOperations } from "./sources/uploads.ts";
import { tryOperations } from "./try-site.ts";

/** Every operation of the admin API: what the CLI does, for those who have an admin key. */
export function adminOperations(options: AdminOptions, guards: AdminGuards): Operation[] {
  return [
    ...statusOperations(options, guards),
    ...organizationOperations(options, guards),
    ...siteOperations(options, guards),
    ...modelOperations(options, guards),
    ...tryOperations(options, guards),
    ...assistantKeyOperations(options, guards),
    ...adminKeyOperations(options, guards),
    ...memberOperations(options, guards),
    ...sourceOperations(options, guards),
    ...uploadOperations(options, guards),
    ...runOperations(options, guards),
    ...underWayOperations(options, guards),
    ...pageOperations(options, guards),
    ...explainOperations(options, guards),
    ...generationOperations(options, guards),
    ...answerOperations(options, guards),
    ...privacyOperations(options, guards),
    ...backupOperations(options, guards),
    ...serverOperations(options, guards),
  ];
}
