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
