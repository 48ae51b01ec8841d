import type { assistantKeyShape } from "@docent/doors/admin/shapes";
import type { z } from "zod";
import type { SiteView } from "./site-view.ts";
import { type Resource, useResource } from "./use-resource.ts";

/** An assistant key. */
export type AssistantKey = z.output<typeof assistantKeyShape>;

/** The assistant keys that the member sees. */
export const useKeys = (): Resource<AssistantKey[]> => useResource<AssistantKey[]>("/v1/admin/keys");

type Opened = Pick<SiteView, "domain" | "organizationId">;

/** The keys that open a site, whatever has become of them. */
export const keysOf = (keys: readonly AssistantKey[], { domain, organizationId }: Opened) =>
  keys.filter((key) => key.organizationId === organizationId && (key.sites?.includes(domain) ?? true));

/** Keys that work now for a site; one that is for the site alone, and from anywhere, comes first. */
export const usableKeys = (keys: readonly AssistantKey[], site: Opened) =>
  keysOf(keys, site)
    .filter(({ state }) => state === "active")
    .sort((one, other) => rank(one) - rank(other));

const rank = ({ sites, addresses }: AssistantKey) =>
  (addresses.length > 0 ? 2 : 0) + (sites === null ? 1 : 0);

/** What a page needs for its widget. */
interface SnippetOptions {
  /** Where readers reach Docent. */
  publicUrl: string;
  domain: string;
  key: string;
  isInline: boolean;
}

/** The lines to paste into a page. The look is the site's: it need not be said again. */
export function snippetOf({ publicUrl, domain, key, isInline }: SnippetOptions): string {
  const attributes = [
    `src="${escaped(publicUrl)}/widget.js"`,
    `data-domain="${escaped(domain)}"`,
    `data-key="${escaped(key)}"`,
    ...(isInline ? [`data-target="#assistant"`] : []),
    "defer",
  ];
  const script = `<script ${attributes.join(" ")}></script>`;
  return isInline ? `<div id="assistant" style="height: 32rem"></div>\n${script}` : script;
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
