/** What a page needs for its widget. */
export interface SnippetOptions {
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
