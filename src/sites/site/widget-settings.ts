import { z } from "zod";

/** The words of the widget's own that an owner may put into others. What they say is in src/faces/widget/labels.ts. */
export const WIDGET_LABEL_NAMES = [
  "open",
  "title",
  "close",
  "newConversation",
  "greeting",
  "introduction",
  "starters",
  "placeholder",
  "send",
  "stop",
  "disclaimer",
  "search",
  "searchPlaceholder",
  "askRow",
  "recent",
  "found",
  "nothingFound",
  "allResults",
  "searchFailed",
  "toChoose",
  "toOpen",
  "toAsk",
  "conversation",
  "you",
  "assistant",
  "searching",
  "corrected",
  "searched",
  "queued",
  "thinking",
  "thoughts",
  "writing",
  "answered",
  "stopped",
  "latest",
  "quoted",
  "curated",
  "sources",
  "source",
  "suggestions",
  "followUps",
  "copy",
  "copyCode",
  "copied",
  "retry",
  "helpful",
  "unhelpful",
  "comment",
  "sendComment",
  "thanks",
  "person",
  "personName",
  "personEmail",
  "personMessage",
  "personNote",
  "personSent",
  "askAboutSelection",
  "askAboutCode",
  "aboutSelection",
  "aboutCode",
  "removeContext",
  "explain",
  "offline",
  "notSent",
  "unreachable",
  "interrupted",
  "limited",
  "limitedUntil",
  "busy",
  "unavailable",
  "tooLong",
  "failed",
] as const;

/** Themes that the widget may have; `auto` follows the reader's system. */
const WIDGET_THEMES = ["auto", "light", "dark"] as const;
/** How the widget shows itself: a button that opens a panel, a dialog in the middle, or a part of the page. */
const WIDGET_VARIANTS = ["button", "modal", "inline"] as const;
/** On which side the button and its panel are. */
const WIDGET_POSITIONS = ["right", "left"] as const;

const LABEL_CHARACTERS_MAX = 200;
const LOGO_CHARACTERS_MAX = 40_000;
const RADIUS_PIXELS_MAX = 24;

/**
 * Where a logo may be: under https, at a path of the site itself, or the picture in full. All of it is given to an `img`,
 * which runs no script, and none of it holds what could end an attribute or a CSS value.
 */
const LOGO =
  /^(?:https:\/\/[^\s"'<>()\\`]+|\/(?![/\\])[^\s"'<>()\\`]*|data:image\/(?:png|jpeg|webp|gif|svg\+xml);base64,[A-Za-z0-9+/]+={0,2})$/;

const CONTROL_CHARACTERS = /\p{Cc}/u;

const labelSchema = z
  .string()
  .trim()
  .min(1)
  .max(LABEL_CHARACTERS_MAX)
  .refine((text) => !CONTROL_CHARACTERS.test(text), "must be one line of text");

/** How a site's widget looks and what it says, where its page does not say otherwise. */
export const widgetSettingsSchema = z
  .object({
    theme: z.enum(WIDGET_THEMES).meta({ id: "WidgetTheme" }).default("auto"),
    /** The colour of buttons and links. It is written into CSS: nothing but six digits can pass. */
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #2456c9")
      .default("#2456c9"),
    /** The radius of the panel's corners, in pixels. */
    radius: z.int().min(0).max(RADIUS_PIXELS_MAX).default(14),
    position: z.enum(WIDGET_POSITIONS).meta({ id: "WidgetPosition" }).default("right"),
    variant: z.enum(WIDGET_VARIANTS).meta({ id: "WidgetVariant" }).default("button"),
    /** A picture of the site's, or empty. */
    logo: z
      .string()
      .trim()
      .max(LOGO_CHARACTERS_MAX)
      .refine(
        (text) => text === "" || LOGO.test(text),
        "must begin with https://, or be a path of the site such as /img/logo.svg, or a data: picture in base64",
      )
      .default(""),
    /** The widget's own words in the owner's, by name. */
    labels: z.partialRecord(z.enum(WIDGET_LABEL_NAMES), labelSchema).meta({ id: "WidgetLabels" }).default({}),
    /** Whether marking text on the page offers to ask about it. */
    askAboutSelection: z.boolean().default(true),
    /** Whether code blocks of the page have a button that asks about them. */
    askAboutCode: z.boolean().default(true),
  })
  .meta({ id: "WidgetSettings" });

const { shape } = widgetSettingsSchema;

/** Which of them are set anew: those that are named, and no others. */
export const widgetChangeSchema = z
  .strictObject({
    theme: shape.theme.unwrap().exactOptional(),
    accent: shape.accent.unwrap().exactOptional(),
    radius: shape.radius.unwrap().exactOptional(),
    position: shape.position.unwrap().exactOptional(),
    variant: shape.variant.unwrap().exactOptional(),
    logo: shape.logo.unwrap().exactOptional(),
    labels: shape.labels.unwrap().exactOptional(),
    askAboutSelection: shape.askAboutSelection.unwrap().exactOptional(),
    askAboutCode: shape.askAboutCode.unwrap().exactOptional(),
  })
  .meta({ id: "WidgetSettingsChange" });
