import { adminKeyOperations } from "./admin-keys.ts";
import { answerOperations } from "./answers.ts";
import { assistantKeyOperations } from "./assistant-keys.ts";
import { backupOperations } from "./backup.ts";
import { explainOperations } from "./explain.ts";
import { generationOperations } from "./generations.ts";
import { memberOperations } from "./members.ts";
import { modelOperations } from "./models.ts";
import type { AdminOperation } from "./operation.ts";
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
