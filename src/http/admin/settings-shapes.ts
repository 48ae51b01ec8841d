import { z } from "zod";
import type { phrasesFor } from "../../sites/phrases.ts";
import { PHRASE_NAMES } from "../../sites/phrases.ts";
import { moment } from "./shapes.ts";

/** The chat models that a site may choose. */
export const offeredModelsShape = z
  .object({
    own: z.string().nullable(),
    models: z.array(
      z
        .object({
          name: z.string(),
          contextTokens: z.int(),
          seesPictures: z.boolean(),
          canThink: z.boolean(),
        })
        .meta({ id: "ChatModel" }),
    ),
    isWhole: z.boolean(),
  })
  .meta({ id: "ChatModelList" });

const phrasesShape = z
  .record(z.enum(PHRASE_NAMES), z.string())
  .meta({ id: "DefaultPhrases" }) satisfies z.ZodType<ReturnType<typeof phrasesFor>>;

/** What holds where a site's settings do not say. */
export const siteDefaultsShape = z
  .object({
    relevanceMin: z.number(),
    curatedMin: z.number(),
    /** Of an organization, in all. 0: no limit. */
    hourlyMessages: z.int(),
    /** By the first part of a language's tag. */
    phrases: z.record(z.string(), phrasesShape).meta({ id: "PhrasesByLanguage" }),
  })
  .meta({ id: "SiteDefaults" });

/** The server itself, for whoever looks after it. */
export const serverStateShape = z
  .object({
    version: z.string(),
    startedAt: moment,
    publicUrl: z.string(),
    /** What it keeps, in bytes. */
    data: z
      .object({
        directory: z.string(),
        databaseBytes: z.int(),
        backupsBytes: z.int(),
        otherBytes: z.int(),
        /** Left on the disk that it is on; null where that cannot be told. */
        freeBytes: z.int().nullable(),
      })
      .meta({ id: "ServerData" }),
    /** Where its metrics are read; null where nothing is measured. */
    metricsUrl: z.string().nullable(),
    /** Answers that are being written, and questions that wait for a model. */
    load: z.object({ running: z.int(), waiting: z.int() }).meta({ id: "Load" }),
  })
  .meta({ id: "Server" });
