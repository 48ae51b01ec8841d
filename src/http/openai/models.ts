import { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import type { Site } from "../../sites/sites.ts";
import { createGate, type Gate, isOpenTo, type Visitor } from "../guard/gate.ts";
import type { GuardDeps } from "../guard/guard.ts";

/** `GET /v1/models`: the sites that the key may use, from the page that asks. */
export function openaiModelRoutes(guard: GuardDeps) {
  const gate = createGate(guard, "pages");
  return new Elysia()
    .get("/v1/models", async ({ request, server }) => {
      const { caller, origin } = await gate.identify(request, server?.requestIP(request)?.address);
      const sites = guard.directory.all().filter((site) => caller.mayUse(site) && isOpenTo(site, origin));
      return reply({ object: "list", data: sites.map(describe) });
    })
    .get("/v1/models/:model", async ({ request, params, server }) => {
      const visitor = await gate.identify(request, server?.requestIP(request)?.address);
      return reply(describe(siteOfModel(gate, visitor, params.model)));
    });
}

/** The site that a model is. Its error says that a model is missing, as clients of this protocol expect. */
export function siteOfModel(gate: Gate, visitor: Visitor, model: string): Site {
  try {
    return gate.siteFor(visitor, model);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "not_found")) throw error;
    const message = `The model ${model} does not exist, or your key may not use it.`;
    throw new AppError("not_found", message, { details: [{ path: "model", message }] });
  }
}

/** `name` is no part of the protocol; clients that know it show it in place of the id. */
const describe = ({ domain, name, createdAt }: Site) => ({
  id: domain,
  object: "model",
  created: Math.floor(createdAt / 1000),
  owned_by: "docent",
  name,
});

const reply = (body: object) => Response.json(body, { headers: { "cache-control": "no-store" } });
