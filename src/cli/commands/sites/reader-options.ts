import { AppError } from "@docent/kernel/errors";
import { readLabelledLink } from "@docent/kernel/text/labelled-link";
import { chatModeSchema, readersSchema, type SiteSettings } from "@docent/sites/site/settings";
import { type Context, textOption, textsOption } from "../../command.ts";

/** The options for who reads a site, also in chats, and for what stands around the pages of the reader site. */
export const READER_OPTIONS = {
  readers: { type: "string" },
  chat: { type: "string" },
  "header-link": { type: "string", multiple: true },
  "footer-link": { type: "string", multiple: true },
  "footer-text": { type: "string" },
} as const;

export const READER_OPTION_HELP = {
  readers: "who reads it: public or signed-in",
  chat: "chats may ask: off, asker or channel",
  "header-link": "a link at the reader site's top: words, address; or 'none'",
  "footer-link": "the same at its bottom",
  "footer-text": "words there",
};

/** The settings among them that were given. */
export function readerSettings(context: Context): Partial<SiteSettings> {
  const headerLinks = linksOf(textsOption(context, "header-link"));
  const footerLinks = linksOf(textsOption(context, "footer-link"));
  const footerText = textOption(context, "footer-text");
  const readers = readersOf(textOption(context, "readers"));
  const chat = chatModeOf(textOption(context, "chat"));
  return {
    ...(readers && { readers }),
    ...(chat && { chat }),
    ...(headerLinks && { headerLinks }),
    ...(footerLinks && { footerLinks }),
    ...(footerText !== undefined && { footerText }),
  };
}

function readersOf(given: string | undefined): SiteSettings["readers"] | undefined {
  const readers = readersSchema.options.find((each) => each === given);
  if (given === undefined || readers !== undefined) return readers;
  throw new AppError("invalid_request", `--readers is ${readersSchema.options.join(" or ")}, not ${given}.`);
}

function chatModeOf(given: string | undefined): SiteSettings["chat"] | undefined {
  const mode = chatModeSchema.options.find((each) => each === given);
  if (given === undefined || mode !== undefined) return mode;
  throw new AppError("invalid_request", `--chat is ${chatModeSchema.options.join(", ")}, not ${given}.`);
}

const linksOf = (lines: string[] | undefined) =>
  lines?.includes("none") ? [] : lines?.map((line) => readLabelledLink(line));
