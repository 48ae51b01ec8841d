import { AppError } from "../../errors.ts";
import type { Site } from "../../sites/sites.ts";
import { createGate, type Gate, type GuardDeps, isOpenTo, type Visitor } from "../guard/guard.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { modelListShape, modelShape } from "./shapes.ts";

const ERRORS = ["unauthorized", "forbidden", "internal", "unavailable"] as const;

/** The operations that show the sites which the key may use, from the page that asks, as models. */
export function openaiModelOperations(deps: GuardDeps): Operation[] {
  const gate = createGate(deps, "pages");
  const guard: Guard<Visitor> = {
    opens: "assistant",
    errors: ERRORS,
    admit: ({ request, peer }) => gate.identify(request, peer()),
  };
  const common = { method: "GET", tag: "OpenAI", guard, isInDiscovery: true, hasOpenaiErrors: true } as const;
  return [
    operation({
      ...common,
      id: "listModels",
      path: "/v1/models",
      summary: "List the sites that the key may use, as models",
      replies: gives(200, "The sites.", modelListShape),
      run({ caller, origin }) {
        const sites = deps.directory.all().filter((site) => caller.mayUse(site) && isOpenTo(site, origin));
        return unkept({ object: "list", data: sites.map(describe) });
      },
    }),
    operation({
      ...common,
      id: "getModel",
      path: "/v1/models/:model",
      summary: "Show a site, as a model",
      replies: gives(200, "The site.", modelShape),
      run: ({ param, ...visitor }) => unkept(describe(siteOfModel(gate, visitor, param("model")))),
    }),
  ];
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

const unkept = (body: object) => Response.json(body, { headers: { "cache-control": "no-store" } });
