import { safeLink } from "@docent/kernel/text/safe-url";
import { z } from "zod";

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
export const headerLinksSchema = z.array(linkSchema).max(HEADER_LINKS_MAX);
/** Links at its bottom, and the words before them. */
export const footerLinksSchema = z.array(linkSchema).max(FOOTER_LINKS_MAX);
export const footerTextSchema = z
  .string()
  .trim()
  .max(FOOTER_CHARACTERS_MAX)
  .refine(isOneLine, "must be one line of text");
