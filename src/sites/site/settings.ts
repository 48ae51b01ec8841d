import { safeLink } from "@docent/kernel/text/safe-url";
import { z } from "zod";
import { PHRASE_NAMES } from "./phrases.ts";
import { widgetChangeSchema, widgetSettingsSchema } from "./widget-settings.ts";

const LABEL_CHARACTERS_MAX = 40;
const HREF_CHARACTERS_MAX = 500;
const HEADER_LINKS_MAX = 6;
const FOOTER_LINKS_MAX = 12;
const FOOTER_CHARACTERS_MAX = 300;

/** Nothing in them could end an attribute, and none of them runs anything. */
const HREF = /^(?:https?:\/\/[^\s"'<>\\]+|mailto:[^\s"'<>\\@]+@[^\s"'<>\\@]+|\/(?![/\\])[^\s"'<>\\]*)$/;
const isOneLine = (text: string) => !/\p{Cc}/u.test(text);

const linkSchema = z
  .strictObject({
    label: z.string().trim().min(1).max(LABEL_CHARACTERS_MAX).refine(isOneLine, "must be one line of text"),
    href: z
      .string()
      .trim()
      .max(HREF_CHARACTERS_MAX)
      .refine(
        (text) => HREF.test(text) && safeLink(text) !== undefined,
        "must begin with https://, http:// or mailto:, or be a path of the site such as /guide",
      ),
  })
  .meta({ id: "SiteLink" });

/** Links at the top of the reader site. */
const headerLinksSchema = z.array(linkSchema).max(HEADER_LINKS_MAX);
/** Links at its bottom, and the words before them. */
const footerLinksSchema = z.array(linkSchema).max(FOOTER_LINKS_MAX);
const footerTextSchema = z
  .string()
  .trim()
  .max(FOOTER_CHARACTERS_MAX)
  .refine(isOneLine, "must be one line of text");

const ORIGINS_MAX = 1000;

/** The generators whose anchors a site's headings may have, as in markdown/anchors.ts; a test keeps the two alike. */
export const ANCHOR_STYLE_NAMES = [
  "github",
  "docusaurus",
  "mintlify",
  "vitepress",
  "mkdocs",
  "sphinx",
] as const;

const isContact = (text: string) =>
  text === "" || /^[^\s@<>()]+@[^\s@<>()]+$/.test(text) || /^(https?:\/\/|mailto:)[^\s<>()]+$/.test(text);

const NO_HOST_NAME = "must be a host name in lower case without a port, such as docs.example.com";
const hostNameSchema = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, {
    error: NO_HOST_NAME,
    abort: true,
  })
  // Refuses an address of numbers, such as 192.0.2.1.
  .regex(/[a-z]/, NO_HOST_NAME);

/** Who reads a site. */
export const readersSchema = z.enum(["public", "signed-in"]).meta({ id: "SiteReaders" });

/** Over plain http only from this machine: whoever answers in its place could vouch for anybody. */
const JWKS_ADDRESS = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s<>"]+$/;
const jwksUrlSchema = z
  .string()
  .trim()
  .max(500)
  .refine(
    (text) => text === "" || (JWKS_ADDRESS.test(text) && URL.canParse(text)),
    "must be the address of a set of keys, and begin with https://",
  );

/** How sure Docent must be before it answers. */
export const answerWhenSchema = z.enum(["cautious", "balanced", "eager"]).meta({ id: "AnswerWhen" });

/** Who searches the docs for an answer. */
export const SEARCH_MODES = ["auto", "single", "search"] as const;

/**
 * Whether the model writes questions for passages: never; so that they can be measured; so that search uses them where
 * it was measured that it loses nothing by them.
 */
export const enrichmentSchema = z.enum(["off", "prepare", "on"]).meta({ id: "EnrichmentMode" });

/** What becomes of a run by which golden questions get worse: it is shown and published, or it is not published. */
export const goldenQuestionsSchema = z.enum(["show", "require"]).meta({ id: "GoldenQuestionsMode" });

/** Who sees what is answered in a chat such as Slack: whoever asked, or everyone in the channel. */
export const chatModeSchema = z.enum(["off", "asker", "channel"]).meta({ id: "ChatMode" });

/**
 * What owners can set for a site. A new setting also goes into `settingsChangeSchema` below, which is strict, into a form
 * of the dashboard and an option of `docent sites set`.
 */
export const siteSettingsSchema = z.object({
  /** Origins whose pages may call with a key. Empty: any. */
  origins: z
    .array(z.string().regex(/^https?:\/\/[^/\s]+$/, "must be like https://docs.example.com"))
    .default([]),
  /** Language of Docent's own sentences: a BCP 47 tag. */
  language: z.string().min(2).max(35).default("en"),
  /** Docent's own sentences in the owner's words, by name (see the documentation of phrases). */
  phrases: z.partialRecord(z.enum(PHRASE_NAMES), z.string().max(2000)).meta({ id: "Phrases" }).default({}),
  /** The owner's own text for the model: tone, names of products, what to refuse. */
  instructions: z.string().max(4000).default(""),
  /** Questions that a chat may offer before the first one is asked. */
  starterQuestions: z.array(z.string().trim().min(1).max(200)).max(8).default([]),
  /** Where a reader turns when the docs do not say: an address to write to, or of a page. Empty: nowhere. */
  contact: z
    .string()
    .trim()
    .max(500)
    .refine(isContact, "must be an e-mail address, or begin with https://, http:// or mailto:")
    .default(""),
  /** Where a conversation goes that its reader hands over to a person: a webhook or an e-mail address. Empty: nowhere. */
  handOver: z
    .string()
    .trim()
    .max(500)
    .refine(isContact, "must be an e-mail address, or begin with https://")
    .default(""),
  /** Whether chats for which the operator has named a secret may ask, and who sees the answers there. */
  chat: chatModeSchema.default("off"),
  /** Whether answers end with links to pages worth reading next. */
  suggestions: z.boolean().default(true),
  /** Whether pages are shown to anyone: by the built-in reader without a signed link, as text, and to agents. */
  public: z.boolean().default(false),
  /**
   * Who reads it: everyone as far as `public` and its keys let them, or only people for whom a provider, a proxy or a token of
   * the site vouches. Then `public` says nothing.
   */
  readers: readersSchema.default("public"),
  /** Where the keys are with which the site signs its readers' tokens. Empty: none. For the operator to give. */
  jwksUrl: jwksUrlSchema.default(""),
  /** Host names under which its public texts are at the root. For the operator to give: see `hostNames`. */
  hosts: z.array(hostNameSchema).max(20).default([]),
  /** Whether its apps may hold thread ids of a service that it moved here from: those begin a new thread. */
  movedFromHosted: z.boolean().default(false),
  /** After how many days what readers said is deleted. 0: never. */
  retentionDays: z.int().min(0).max(36_500).default(0),
  defaultVersion: z.string().max(100).default(""),
  defaultLanguage: z.string().max(100).default(""),
  /** Whose anchors the headings of the published pages have. */
  anchors: z
    .enum(ANCHOR_STYLE_NAMES, { error: `must be one of ${ANCHOR_STYLE_NAMES.join(", ")}` })
    .meta({ id: "AnchorStyle" })
    .default("github"),
  /** How the widget looks on its pages; the reader site has its accent and its logo. */
  widget: widgetSettingsSchema.prefault({}),
  /** What stands at the top and at the bottom of the reader site besides its own. */
  headerLinks: headerLinksSchema.default([]),
  footerLinks: footerLinksSchema.default([]),
  footerText: footerTextSchema.default(""),
  /** The chat model that answers, where it is one that the operator lets sites choose. Empty: the server's. */
  model: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\w./:-]*$/, "must be the name of a model, such as llama3.2")
    .default(""),
  /**
   * `single`: the docs are searched once for a question. `search`: the model may search again and read pages before it
   * answers, where it says that it can. `auto`: the same where it has shown that it does.
   */
  searchMode: z.enum(SEARCH_MODES).meta({ id: "SearchMode" }).default("auto"),
  /** When a question is answered. null: as the server's setting says. */
  answerWhen: answerWhenSchema.nullable().default(null),
  /** How relevant the best passage must be, as an exact number in place of `answerWhen`. */
  relevanceMin: z.number().min(0).max(1).nullable().default(null),
  /** How near a question must be to a curated answer's. null: as the server's setting says. */
  curatedMin: z.number().min(0).max(1).nullable().default(null),
  /** Whether the model writes questions for passages in the background, and whether search uses them. */
  enrichment: enrichmentSchema.default("off"),
  /** Whether a run is published by which golden questions get worse. */
  goldenQuestions: goldenQuestionsSchema.default("show"),
  /** Passages that an answer is written from, where its asker does not say. */
  pageSize: z.int().min(1).max(20).default(5),
  /** Messages that its readers may send in any hour, within those of its organization. 0: no limit of its own. */
  hourlyMessages: z.int().min(0).max(1_000_000_000).default(0),
});

export type SiteSettings = z.infer<typeof siteSettingsSchema>;

const { shape } = siteSettingsSchema;

/** Which of a site's settings are set anew: those that are named, and no others. `hosts` and `jwksUrl` are for the operator alone. */
export const settingsChangeSchema = z
  .strictObject({
    origins: shape.origins.unwrap().max(ORIGINS_MAX).exactOptional(),
    language: shape.language.unwrap().exactOptional(),
    phrases: shape.phrases.unwrap().exactOptional(),
    instructions: shape.instructions.unwrap().exactOptional(),
    starterQuestions: shape.starterQuestions.unwrap().exactOptional(),
    contact: shape.contact.unwrap().exactOptional(),
    handOver: shape.handOver.unwrap().exactOptional(),
    chat: shape.chat.unwrap().exactOptional(),
    suggestions: shape.suggestions.unwrap().exactOptional(),
    public: shape.public.unwrap().exactOptional(),
    readers: shape.readers.unwrap().exactOptional(),
    movedFromHosted: shape.movedFromHosted.unwrap().exactOptional(),
    retentionDays: shape.retentionDays.unwrap().exactOptional(),
    defaultVersion: shape.defaultVersion.unwrap().exactOptional(),
    defaultLanguage: shape.defaultLanguage.unwrap().exactOptional(),
    anchors: shape.anchors.unwrap().exactOptional(),
    widget: widgetChangeSchema.exactOptional(),
    headerLinks: shape.headerLinks.unwrap().exactOptional(),
    footerLinks: shape.footerLinks.unwrap().exactOptional(),
    footerText: shape.footerText.unwrap().exactOptional(),
    model: shape.model.unwrap().exactOptional(),
    searchMode: shape.searchMode.unwrap().exactOptional(),
    answerWhen: shape.answerWhen.unwrap().exactOptional(),
    relevanceMin: shape.relevanceMin.unwrap().exactOptional(),
    curatedMin: shape.curatedMin.unwrap().exactOptional(),
    enrichment: shape.enrichment.unwrap().exactOptional(),
    goldenQuestions: shape.goldenQuestions.unwrap().exactOptional(),
    pageSize: shape.pageSize.unwrap().exactOptional(),
    hourlyMessages: shape.hourlyMessages.unwrap().exactOptional(),
  })
  .meta({ id: "SiteSettingsChange" });
