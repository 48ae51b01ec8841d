/** What a page needs to have the assistant: one line, for the end of its head or body. */
export function widgetSnippet({
  publicUrl,
  domain,
  key,
}: {
  publicUrl: string;
  domain: string;
  key: string;
}) {
  const address = attribute(`${publicUrl.replace(/\/$/, "")}/widget.js`);
  return `<script src="${address}" data-domain="${attribute(domain)}" data-key="${attribute(key)}" defer></script>`;
}

const attribute = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
