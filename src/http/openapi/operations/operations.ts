import type { AdminOperation } from "../../admin/operation.ts";
import type { MessageBounds } from "../../messages/v1-schema.ts";
import type { ApiOperation } from "../../operation/operation.ts";
import type { SessionOperation } from "../../session/guard.ts";
import { SESSION_PREFIX } from "../../session/session.ts";
import { keyedOperations } from "./keyed.ts";
import { openaiOperations } from "./openai.ts";
import { readerOperations } from "./readers.ts";
import { serverOperations } from "./server.ts";
import { sessionApiOperations } from "./session.ts";

interface DescribedDoors {
  bounds: MessageBounds;
  admin: readonly AdminOperation[];
  analytics: readonly AdminOperation[];
  session: readonly SessionOperation[];
  hasMetrics: boolean;
}

/** Every operation of the server but the pages that it shows to people. */
export function apiOperations({
  bounds,
  admin,
  analytics,
  session,
  hasMetrics,
}: DescribedDoors): ApiOperation[] {
  return [
    ...readerOperations(bounds),
    ...openaiOperations(bounds),
    ...keyedOperations("/v1/analytics", analytics),
    ...keyedOperations("/v1/admin", admin),
    ...sessionApiOperations(SESSION_PREFIX, session),
    ...serverOperations({ hasMetrics }),
  ];
}
