const LINK_SCHEMES = ["http:", "https:", "mailto:"];
const IMAGE_SCHEMES = ["https:"];

/** A link target that can't run anything: http, https, mailto, relative or `#anchor`; undefined for every other. */
export function safeLink(url: string): string | undefined {
  return safeUrl(url, LINK_SCHEMES);
}

/** An image's address: https or relative; undefined for every other. */
export function safeImage(url: string): string | undefined {
  return safeUrl(url, IMAGE_SCHEMES);
}

function safeUrl(url: string, schemes: string[]): string | undefined {
  const text = url.trim();
  // Browsers drop tabs and line breaks inside an address, and read a backslash as a slash: neither belongs in one.
  if (text === "" || hasControl(text)) return undefined;
  if (/^[\\/]{2}/.test(text)) return undefined;
  const scheme = /^[^/?#]*?:/.exec(text.slice(0, 200))?.[0].toLowerCase();
  if (scheme !== undefined && !schemes.includes(scheme)) return undefined;
  if (scheme === "http:" || scheme === "https:") {
    if (!/^https?:\/\/[^\\/]/i.test(text)) return undefined;
  }
  return text.toWellFormed().replaceAll(" ", "%20");
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}
