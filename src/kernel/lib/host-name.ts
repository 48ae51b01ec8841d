import { isIP } from "node:net";

/** The URL with its host as certificates name it: `docs.example.` becomes `docs.example`. */
export function withoutFinalDot(address: string | URL): URL {
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
}

/** The same for `host` or `host:port`, in lower case. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.(?=$|:\d+$)/, "");
}

/** The address to listen on, in its one spelling. An IPv6 one may be written as it stands in links: `[::1]`. */
export function boundHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return (isIP(bare) === 6 && URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1)) || bare;
}
