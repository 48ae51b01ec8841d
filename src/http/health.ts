import { Elysia } from "elysia";

/** `/health/live`: the process runs. `/health/ready`: it can take questions. */
export function healthRoutes(isReady: () => boolean) {
  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", ({ set }) => {
      const ready = isReady();
      set.status = ready ? 200 : 503;
      return { status: ready ? "ok" : "stopping" };
    });
}
