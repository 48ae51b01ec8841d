import { z } from "zod";
import type { ErrorCode } from "../../../errors.ts";
import { siteSettingsSchema } from "../../../sites/sites.ts";
import { type MessageBounds, v1MessageSchema } from "../../messages/v1-schema.ts";
import { v2MessageSchema } from "../../messages/v2-schema.ts";
import { gives } from "../../operation/gives.ts";
import type { ApiOperation } from "../../operation/operation.ts";
import { eventSchema } from "../../site-api/events.ts";
import { feedbackSchema } from "../../site-api/feedback.ts";
import { pageSchema } from "../../site-api/page.ts";
import { searchSchema } from "../../site-api/search.ts";
import type { widgetJson } from "../../site-api/widget.ts";

/** What every operation with an assistant key may answer instead. */
export const KEYED_ERRORS: readonly ErrorCode[] = [
  ...(["invalid_request", "unauthorized", "forbidden", "not_found", "too_large"] as const),
  ...(["unsupported_media_type", "rate_limited", "internal", "unavailable"] as const),
];

/** The assistant key, at the root or below `/discovery`. */
const SITE_KEY = { key: "assistant", hasPrefix: true } as const;

const searchResults = z.array(
  z
    .object({
      content: z.string().max(300),
      path: z.string(),
      metadata: z
        .object({
          title: z.string(),
          href: z.string(),
          score: z.number().min(0).max(1),
          headings: z.array(z.string()),
          version: z.string(),
          language: z.string(),
          /** Where words of the query begin and end in the content. */
          highlights: z.array(z.array(z.int()).length(2)),
        })
        .meta({ id: "SearchResultMetadata" }),
    })
    .meta({ id: "SearchResult" }),
);
const page = z.object({ path: z.string(), content: z.string() }).meta({ id: "Page" });
const { shape: settings } = siteSettingsSchema;
/** What the widget is told. Held to what the code gives. */
const widgetFields = z.object({
  domain: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  starterQuestions: settings.starterQuestions,
  contact: settings.contact,
  language: settings.language,
  widget: settings.widget,
  versions: z.array(z.string()),
  languages: z.array(z.string()),
  /** Of the built-in reader, where the site's pages are public. */
  readerUrl: z.string().nullable(),
}) satisfies z.ZodType<ReturnType<typeof widgetJson>>;
export const widgetShape = widgetFields.meta({ id: "Widget" });

/** The operations that a site's readers use, with the assistant key. */
export function readerOperations(bounds: MessageBounds): ApiOperation[] {
  return [
    {
      method: "post",
      path: "/v2/assistant/{domain}/message",
      tag: "Assistant",
      summary: "Answer a question, as a stream for AI SDK 5 and later",
      ...SITE_KEY,
      body: v2MessageSchema(bounds),
      example: {
        fp: "anonymous",
        messages: [
          { id: "1", role: "user", parts: [{ type: "text", text: "How do I install it on Linux?" }] },
        ],
      },
      replies: { 200: { description: "The parts of the answer.", contentType: "text/event-stream" } },
      errors: KEYED_ERRORS,
    },
    {
      method: "post",
      path: "/v1/assistant/{domain}/message",
      tag: "Assistant",
      summary: "Answer a question, as a stream for AI SDK 4",
      ...SITE_KEY,
      deprecated: true,
      body: v1MessageSchema(bounds),
      example: {
        fp: "anonymous",
        messages: [{ id: "1", role: "user", content: "How do I install it on Linux?", parts: [] }],
      },
      replies: { 200: { description: "The parts of the answer.", contentType: "text/plain" } },
      errors: KEYED_ERRORS,
    },
    {
      method: "post",
      path: "/v1/search/{domain}",
      tag: "Search",
      summary: "Find passages, for a search box that asks at every letter",
      ...SITE_KEY,
      body: searchSchema,
      example: { query: "install on lin", pageSize: 3 },
      replies: { 200: { description: "Passages, best first.", schema: searchResults } },
      errors: KEYED_ERRORS,
    },
    {
      method: "post",
      path: "/v1/page/{domain}",
      tag: "Search",
      summary: "Give a page's Markdown",
      ...SITE_KEY,
      body: pageSchema,
      example: { path: "guide/install" },
      replies: { 200: { description: "The page.", schema: page } },
      errors: KEYED_ERRORS,
    },
    {
      method: "get",
      path: "/v1/widget/{domain}",
      tag: "Widget",
      summary: "Give what the widget says and looks like",
      description: "As the site's owner has set it. It may be kept for a minute.",
      ...SITE_KEY,
      replies: gives(200, "The site, and how its widget looks.", widgetShape),
      errors: KEYED_ERRORS,
    },
    {
      method: "post",
      path: "/v1/feedback/{domain}",
      tag: "Feedback",
      summary: "Say whether an answer helped",
      description: "What is said later takes the place of what was said before.",
      ...SITE_KEY,
      body: feedbackSchema,
      example: {
        messageId: "01KT0000000000000000000001",
        threadId: "01KT0000000000000000000002",
        helpful: false,
        comment: "It does not say where the file is.",
      },
      replies: gives(204, "It is noted."),
      errors: KEYED_ERRORS,
    },
    {
      method: "post",
      path: "/v1/events/{domain}",
      tag: "Feedback",
      summary: "Tell what a reader clicked",
      ...SITE_KEY,
      body: eventSchema,
      example: { type: "search_click", query: "install", path: "guide/install" },
      replies: gives(204, "It is noted."),
      errors: KEYED_ERRORS,
    },
  ];
}
