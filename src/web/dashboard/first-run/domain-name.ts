const CHARACTERS_MAX = 63;

/** The domain that a site's name suggests: the host of its address where it has one, else the name in small letters. */
export function suggestDomain(name: string, url: string): string {
  const host = URL.parse(url.trim())?.hostname;
  if (host) return fit(host.replace(/^www\./, ""));
  return fit(
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, "-"),
  );
}

/** What is wrong with a domain, in words; undefined where it may be one. */
export function domainFault(domain: string): string | undefined {
  if (domain === "") return "Give it a domain, such as docs.example.com or handbook.";
  if (domain.length > CHARACTERS_MAX) return `At most ${CHARACTERS_MAX} characters.`;
  if (!/^[a-z0-9.-]+$/.test(domain)) return "Only a to z, 0 to 9, dots and hyphens.";
  if (/^\.+$/.test(domain)) return "At least one letter or digit.";
  return undefined;
}

const fit = (text: string) => text.slice(0, CHARACTERS_MAX).replace(/^[-.]+|[-.]+$/g, "");
