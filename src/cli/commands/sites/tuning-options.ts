import { ANSWER_WHEN, type AnswerWhen } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { jsonIn } from "@docent/kernel/text/json";
import {
  enrichmentSchema,
  goldenQuestionsSchema,
  SEARCH_MODES,
  type SiteSettings,
} from "@docent/sites/site/settings";
import type { SiteInput } from "@docent/sites/site/sites";
import { type Context, textOption } from "../../command.ts";
import { readTextFile } from "../../files.ts";

type GivenSettings = NonNullable<SiteInput["settings"]>;

/** The options for a site's model, its limits and its widget. */
export const TUNING_OPTIONS = {
  "site-model": { type: "string" },
  "site-search-mode": { type: "string" },
  "site-answer-when": { type: "string" },
  "site-relevance-min": { type: "string" },
  "site-curated-min": { type: "string" },
  "page-size": { type: "string" },
  enrichment: { type: "string" },
  "golden-questions": { type: "string" },
  "hourly-messages": { type: "string" },
  widget: { type: "string" },
  "widget-file": { type: "string" },
} as const;

export const TUNING_OPTION_HELP = {
  "site-model": "the chat model that answers. Empty: the server's",
  "site-search-mode": `who searches: ${SEARCH_MODES.join(", ")}`,
  "site-answer-when": "when to answer: cautious, balanced, eager or 'server'",
  "site-relevance-min": "the same as a number, from 0 to 1, or 'server'",
  "site-curated-min": "how near a curated answer must be, from 0 to 1, or 'server'",
  "page-size": "passages for an answer: 1 to 20",
  enrichment: "whether a model writes questions: off, prepare or on",
  "golden-questions": "if a run makes one worse: show or require",
  "hourly-messages": "messages of its readers in any hour. 0: as its organization",
  widget: `the widget's look, as JSON such as '{"theme": "dark"}'; the rest stays`,
  "widget-file": "the same from a file, or standard input (-)",
};

/** The settings among them that were given. */
export async function tuningSettings(context: Context): Promise<GivenSettings> {
  const settings: GivenSettings = {};
  const model = textOption(context, "site-model");
  if (model !== undefined) settings.model = model;
  const searchMode = searchModeOf(textOption(context, "site-search-mode"));
  if (searchMode !== undefined) settings.searchMode = searchMode;
  const answerWhen = whenOf(textOption(context, "site-answer-when"));
  if (answerWhen !== undefined) Object.assign(settings, { answerWhen, relevanceMin: null });
  const relevanceMin = measureOf(context, "site-relevance-min");
  if (relevanceMin !== undefined) settings.relevanceMin = relevanceMin;
  const curatedMin = measureOf(context, "site-curated-min");
  if (curatedMin !== undefined) settings.curatedMin = curatedMin;
  const pageSize = countOf(context, "page-size");
  if (pageSize !== undefined) settings.pageSize = pageSize;
  const enrichment = enrichmentOf(context);
  if (enrichment !== undefined) settings.enrichment = enrichment;
  const goldenQuestions = goldenModeOf(textOption(context, "golden-questions"));
  if (goldenQuestions !== undefined) settings.goldenQuestions = goldenQuestions;
  const hourlyMessages = countOf(context, "hourly-messages");
  if (hourlyMessages !== undefined) settings.hourlyMessages = hourlyMessages;
  const widget = await widgetOf(context);
  if (widget !== undefined) settings.widget = widget;
  return settings;
}

function whenOf(given: string | undefined): AnswerWhen | null | undefined {
  if (given === undefined) return undefined;
  if (given === "server") return null;
  const when = ANSWER_WHEN.find((each) => each === given);
  if (when !== undefined) return when;
  throw new AppError(
    "invalid_request",
    `--site-answer-when is ${ANSWER_WHEN.join(", ")} or server, not ${given}.`,
  );
}

function enrichmentOf(context: Context): SiteSettings["enrichment"] | undefined {
  const given = textOption(context, "enrichment");
  if (given === undefined) return undefined;
  const mode = enrichmentSchema.options.find((each) => each === given);
  if (mode !== undefined) return mode;
  throw new AppError(
    "invalid_request",
    `--enrichment is ${enrichmentSchema.options.join(", ").replace(/, (\w+)$/, " or $1")}, not ${given}.`,
  );
}

function goldenModeOf(given: string | undefined): SiteSettings["goldenQuestions"] | undefined {
  const mode = goldenQuestionsSchema.options.find((each) => each === given);
  if (given === undefined || mode !== undefined) return mode;
  throw new AppError("invalid_request", `--golden-questions is show or require, not ${given}.`);
}

function searchModeOf(given: string | undefined): GivenSettings["searchMode"] {
  const mode = SEARCH_MODES.find((each) => each === given);
  if (given === undefined || mode !== undefined) return mode;
  throw new AppError("invalid_request", `--site-search-mode is ${SEARCH_MODES.join(", ")}, not ${given}.`);
}

function measureOf(context: Context, name: string): number | null | undefined {
  const given = textOption(context, name);
  if (given === undefined) return undefined;
  if (given === "server") return null;
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(given)) return Number(given);
  throw new AppError("invalid_request", `--${name} is a number from 0 to 1, or server, not ${given}.`);
}

function countOf(context: Context, name: string): number | undefined {
  const given = textOption(context, name);
  if (given === undefined || /^\d{1,10}$/.test(given)) return given === undefined ? undefined : Number(given);
  throw new AppError("invalid_request", `--${name} is a number, not ${given}.`);
}

/** Its content is checked where it is stored. */
async function widgetOf(context: Context): Promise<Record<string, unknown> | undefined> {
  const json = textOption(context, "widget");
  const file = textOption(context, "widget-file");
  if (json !== undefined && file !== undefined)
    throw new AppError("invalid_request", "--widget and --widget-file are two ways to say one thing.");
  const text = file === undefined ? json : await readTextFile(context, file);
  if (text === undefined) return undefined;
  const parsed = jsonIn(text);
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw new AppError("invalid_request", "The widget's look has to be a JSON object.", {
    hint: `Such as --widget '{"theme": "dark", "accent": "#2456c9"}'.`,
  });
}
