import { safeLink } from "@docent/kernel/text/safe-url";
import type { RstSite } from "./inline.ts";
import { writeRstInline } from "./inline.ts";
import type { RstDirective, RstWriting } from "./writing.ts";

/** Whether a directive is a card of the extension sphinx-design. */
export const isCard = (name: string) => name === "card" || name === "grid-item-card";

/** A card's title leads where the card does; its head stands above `^^^`, its foot below `+++`. */
export function writeCard(
  { argument, options, content }: RstDirective,
  depth: number,
  out: string[],
  writing: RstWriting,
): void {
  const { head, body } = cardParts(content);
  const title = writeRstInline(argument || head, writing.names).replaceAll("**", "");
  const href = cardHref(options, writing.names);
  if (title !== "") out.push(`**${href === undefined ? title : `[${title}](${href})`}**`);
  if (argument !== "" && head !== "") writing.body(head.split("\n"), depth + 1, out);
  writing.body(body, depth + 1, out);
}

/** The words above `^^^`, and the other lines without what divides them. */
export function cardParts(content: readonly string[]): { head: string; body: string[] } {
  const end = content.findIndex((line) => /^\^{3,}\s*$/.test(line));
  const body = content.slice(end + 1).map((line) => (/^\+{3,}\s*$/.test(line) ? "" : line));
  return { head: end < 0 ? "" : content.slice(0, end).join("\n").trim(), body };
}

/** Where the option `link` of a card leads, which may name a page or a label. */
export function cardHref(
  options: ReadonlyMap<string, string>,
  { site }: { site?: Pick<RstSite, "role"> },
): string | undefined {
  const link = options.get("link");
  if (link === undefined || link === "") return undefined;
  const kind = options.get("link-type") ?? "url";
  if (kind === "url") return safeLink(link);
  return /\]\(([^()\s]+)\)$/.exec(site?.role(kind, `x <${link}>`) ?? "")?.[1];
}
