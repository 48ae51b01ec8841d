import { z } from "zod";
import { gives, noGuard, type Operation, operation } from "./operation.ts";

const healthShape = z.lazy(() => z.object({ status: z.string() }).meta({ id: "Health" }));

const LIVENESS = "/health/live";

export const isLiveness = ({ url }: Request, basePath: string): boolean =>
  URL.parse(url)?.pathname === `${basePath}${LIVENESS}`;

/** Whether the process runs, and whether it can take questions. */
export function healthOperations(isReady: () => boolean): Operation[] {
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
      path: "/health/ready",
      tag: "Server",
      guard: noGuard,
      summary: "Say whether the server takes questions",
      replies: { ...gives(200, "It does.", healthShape), ...gives(503, "It is stopping.", healthShape) },
      run: () =>
        isReady() ? Response.json({ status: "ok" }) : Response.json({ status: "stopping" }, { status: 503 }),
    }),
  ];
}
