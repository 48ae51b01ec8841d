import { AppError } from "@docent/kernel/errors";
import { type Site, wantsSignIn } from "@docent/sites/site/sites";
import { createGate, type Gate, type GuardDeps, isOpenTo, type Visitor } from "../guard/guard.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { modelListShape, modelShape } from "./shapes.ts";

const ERRORS = ["unauthorized", "forbidden", "internal", "unavailable"] as const;

/** The operations that show the sites which the key may use, from the page that asks, as models. */
export function openaiModelOperations(deps: GuardDeps): Operation[] {
  const gate = createGate(deps, "pages");
  const guard: Guard<ModelsGuarded> = {
    opens: "assistant",
    errors: ERRORS,
    async admit({ request, peer }) {
      const visitor = await gate.identify(request, peer());
      return { ...visitor, admitReader: (site) => deps.readers.admit(request, site, peer() ?? "") };
    },
  };
  const common = { method: "GET", tag: "OpenAI", guard, isInDiscovery: true, hasOpenaiErrors: true } as const;
  return [
    operation({
      ...common,
      id: "listModels",
      path: "/v1/models",
      summary: "List the sites that the key may use, as models",
      replies: gives(200, "The sites.", modelListShape),
      async run({ caller, origin, admitReader }) {
        const sites = deps.directory.all().filter((site) => caller.mayUse(site) && isOpenTo(site, origin));
        const read = await Promise.all(sites.map((site) => isReadBy(admitReader, site)));
        return unkept({ object: "list", data: sites.filter((_, at) => read[at]).map(describe) });
      },
    }),
    operation({
      ...common,
      id: "getModel",
      path: "/v1/models/:model",
      summary: "Show a site, as a model",
      replies: gives(200, "The site.", modelShape),
      async run({ param, admitReader, ...visitor }) {
        const site = siteOfModel(gate, visitor, param("model"));
        await admitReader(site);
        return unkept(describe(site));
      },
    }),
  ];
}

interface ModelsGuarded extends Visitor {
  /** Raises `unauthorized` for whoever may not read the site. */
  admitReader(site: Site): Promise<unknown>;
}

/** A site for readers who have signed in is no model to others. */
async function isReadBy(admitReader: ModelsGuarded["admitReader"], site: Site): Promise<boolean> {
  if (!wantsSignIn(site)) return true;
  try {
    await admitReader(site);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized") return false;
    throw error;
  }
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
