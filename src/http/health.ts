import { z } from "zod";
import { AppError } from "../errors.ts";
import { gives, noGuard, type Operation, operation } from "./operation.ts";

/** Whether a server takes questions; `disconnected` is one that cannot reach the database which it shares with others. */
export type Readiness = "ok" | "stopping" | "disconnected";

const healthShape = z.lazy(() => z.object({ status: z.string() }).meta({ id: "Health" }));

const LIVENESS = "/health/live";
const READINESS = "/health/ready";

/** Asked again and again, by programs that want an answer also where there is none to any question. */
export const isHealthCheck = ({ url }: Request, basePath: string): boolean => {
  const path = URL.parse(url)?.pathname;
  return path === `${basePath}${LIVENESS}` || path === `${basePath}${READINESS}`;
};

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
      run: () => Response.json({ status: "ok" }),
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
      async run() {
        const status = await readiness();
        return Response.json({ status }, { status: status === "ok" ? 200 : 503 });
      },
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
