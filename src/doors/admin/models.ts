import { relevanceMinOfServer } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { phrasesByLanguage } from "@docent/sites/site/phrases";
import type { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import type { AdminOptions, AdminSettings } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { offeredModelsShape, siteDefaultsShape } from "./shapes.ts";

/** The models that a site may choose from. Where they run is not told: that is the operator's affair. */
export interface SiteModelChoice {
  list(signal: AbortSignal): Promise<{
    /** The model that answers where a site has chosen none. */
    own: string | undefined;
    models: { name: string; contextTokens: number; seesPictures: boolean; canThink: boolean }[];
    /** False while a server does not answer, which might offer more models. */
    isWhole: boolean;
  }>;
  /** Whether a site may choose the model, as far as the servers that answer can tell. */
  mayChoose(name: string, signal: AbortSignal): Promise<boolean>;
}

/** The models that a site may choose, and the defaults of its settings. */
export function siteModelOperations(
  { models, settings }: Pick<AdminOptions, "models" | "settings">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listChatModels",
      method: "GET",
      path: "/v1/admin/models",
      tag: "Admin: settings",
      guard: guards.reads,
      summary: "List the chat models that a site may choose",
      description: "`own` answers where a site chooses none. `isWhole` is false while a server is away.",
      replies: gives(200, "The models, by name.", offeredModelsShape),
      async run({ signal }) {
        const { own, ...offered } = await models.list(signal);
        return reply({ own: own ?? null, ...offered });
      },
    }),
    adminOperation({
      id: "getSiteDefaults",
      method: "GET",
      path: "/v1/admin/defaults",
      tag: "Admin: settings",
      guard: guards.reads,
      summary: "Show what holds where a site's settings do not say",
      replies: gives(200, "The server's measures and limits, and Docent's own sentences.", siteDefaultsShape),
      run: async () => reply(siteDefaults(settings)),
    }),
  ];
}

function siteDefaults({
  answer_when,
  relevance_min,
  curated_min: curatedMin,
  organization_messages_per_hour: hourlyMessages,
}: AdminSettings): z.output<typeof siteDefaultsShape> {
  const relevanceMin = relevanceMinOfServer({ answer_when, relevance_min });
  const answerWhen = relevance_min === null ? answer_when : null;
  return { answerWhen, relevanceMin, curatedMin, hourlyMessages, phrases: phrasesByLanguage() };
}

/** Raises `invalid_request` where a site would be given a model that it may not choose, or that is not there. */
export async function checkModel(
  { models }: Pick<AdminOptions, "models">,
  { wanted, current }: { wanted: string | undefined; current: string },
  signal: AbortSignal,
): Promise<void> {
  if (wanted === undefined || wanted === "" || wanted === current) return;
  if (await models.mayChoose(wanted, signal)) return;
  const message = `The servers do not offer the model ${wanted}.`;
  throw new AppError("invalid_request", `settings.model: ${message}`, {
    hint: "GET /v1/admin/models lists those that a site may choose.",
    details: [{ path: "settings.model", message }],
  });
}
