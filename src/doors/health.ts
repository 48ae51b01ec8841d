import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { gives, noGuard, type Operation, operation } from "./operation.ts";
import { LIVENESS, READINESS, type Readiness, sayHealth } from "./probes.ts";

const healthShape = z.lazy(() =>
  z
    .object({
      status: z.string(),
      unstored: z
        .boolean()
        .optional()
        .describe(
          "Questions are answered, and their answers are not stored: the disk is full, or read only.",
        ),
    })
    .meta({ id: "Health" }),
);

/** Whether the process runs, and whether it can take questions. */
export function healthOperations(readiness: () => Promise<Readiness>): Operation[] {
  return [
    operation({
      id: "checkLiveness",
      method: "GET",
      path: LIVENESS,
      tag: "Server",
      guard: noGuard,
      summary: "Say that the process runs",
      replies: gives(200, "It runs.", healthShape),
      run: () => sayHealth(LIVENESS, readiness),
    }),
    operation({
      id: "checkReadiness",
      method: "GET",
      path: READINESS,
      tag: "Server",
      guard: noGuard,
      summary: "Say whether the server takes questions",
      replies: {
        ...gives(200, "It does.", healthShape),
        ...gives(503, "It is stopping, or `disconnected`: it cannot reach PostgreSQL.", healthShape),
      },
      run: () => sayHealth(READINESS, readiness),
    }),
  ];
}

/** How soon who asks a disconnected server is to ask again. */
const RETRY_AFTER_SECONDS = 5;

export const disconnected = () =>
  new AppError("unavailable", "Docent cannot store or read anything at the moment.", {
    hint: "PostgreSQL cannot be reached: check that it runs, and database_url.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
