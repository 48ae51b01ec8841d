import { matchAddresses } from "@docent/kernel/lib/address";
import type { Log } from "@docent/kernel/lib/log";
import type { Identity } from "./identity.ts";
import type { MemberRules } from "./member-rules.ts";
import type { ProxySettings } from "./sign-in-file.ts";

/** Who vouches where a proxy does. */
const ISSUER = "proxy";
const SUBJECT_CHARACTERS_MAX = 255;
const GROUPS_MAX = 1000;
const GROUP_CHARACTERS_MAX = 200;

/** The proxy that signs in. */
export interface SignInProxy {
  /** Where the browser goes to sign out there. */
  logoutUrl: string | undefined;
  members: MemberRules | undefined;
  readers: boolean;
  /** Who the proxy says it is, where the other end of the connection is that proxy. */
  identify(request: Request, peer: string | undefined): Identity | undefined;
}

export function createProxy(settings: ProxySettings, log: Log): SignInProxy {
  const { user_header, name_header, groups_header, groups_separator } = settings;
  const isProxy = matchAddresses(settings.from).matches;
  const warned = { stranger: false, several: false };
  const warnOnce = (what: keyof typeof warned, event: string, peer: string) => {
    if (!warned[what]) log.warn(event, { header: user_header, peer });
    warned[what] = true;
  };
  const read = ({ headers }: Request, name: string | undefined) =>
    name === undefined ? "" : decoded(headers.get(name) ?? "").trim();
  return {
    logoutUrl: settings.logout_url,
    members: settings.members,
    readers: settings.readers,
    identify(request, peer = "") {
      const subject = read(request, user_header);
      if (subject === "") return undefined;
      // The end of the connection itself, whatever a forwarded header says of it.
      if (!isProxy(peer)) {
        warnOnce("stranger", "a header that signs in is not believed: its sender is not in proxy.from", peer);
        return undefined;
      }
      // What a client sent beside what the proxy set arrives as one value with a comma.
      if (subject.includes(",") || subject.length > SUBJECT_CHARACTERS_MAX) {
        warnOnce("several", "a header that signs in is not believed: it names several, or is too long", peer);
        return undefined;
      }
      const groups = read(request, groups_header)
        .split(groups_separator)
        .map((group) => group.trim())
        .filter((group) => group !== "" && group.length <= GROUP_CHARACTERS_MAX)
        .slice(0, GROUPS_MAX);
      return { issuer: ISSUER, subject, name: read(request, name_header) || subject, groups };
    },
  };
}

/** Headers are bytes: proxies write names in UTF-8, which is read here as Latin-1. */
function decoded(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
