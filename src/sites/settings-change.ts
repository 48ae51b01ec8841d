import { z } from "zod";
import { siteSettingsSchema } from "./sites.ts";
import { widgetChangeSchema } from "./widget-settings.ts";

const ORIGINS_MAX = 1000;
const { shape } = siteSettingsSchema;

/** Which of a site's settings are set anew: those that are named, and no others. `hosts` is for the operator alone. */
export const settingsChangeSchema = z
  .strictObject({
    origins: shape.origins.unwrap().max(ORIGINS_MAX).exactOptional(),
    language: shape.language.unwrap().exactOptional(),
    phrases: shape.phrases.unwrap().exactOptional(),
    instructions: shape.instructions.unwrap().exactOptional(),
    starterQuestions: shape.starterQuestions.unwrap().exactOptional(),
    contact: shape.contact.unwrap().exactOptional(),
    suggestions: shape.suggestions.unwrap().exactOptional(),
    public: shape.public.unwrap().exactOptional(),
    movedFromHosted: shape.movedFromHosted.unwrap().exactOptional(),
    retentionDays: shape.retentionDays.unwrap().exactOptional(),
    defaultVersion: shape.defaultVersion.unwrap().exactOptional(),
    defaultLanguage: shape.defaultLanguage.unwrap().exactOptional(),
    anchors: shape.anchors.unwrap().exactOptional(),
    widget: widgetChangeSchema.exactOptional(),
    model: shape.model.unwrap().exactOptional(),
    relevanceMin: shape.relevanceMin.unwrap().exactOptional(),
    curatedMin: shape.curatedMin.unwrap().exactOptional(),
    pageSize: shape.pageSize.unwrap().exactOptional(),
    hourlyMessages: shape.hourlyMessages.unwrap().exactOptional(),
  })
  .meta({ id: "SiteSettingsChange" });
