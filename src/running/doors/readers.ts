import type { ReaderSource } from "@docent/doors/guard/guard";
import type { SignInWay } from "@docent/doors/reader-site/reader-site";
import { type ReaderCookie, readerCookie } from "@docent/doors/session/cookie";
import type { ReaderSessions, Vouchers } from "@docent/people/identity/identity";
import type { ReaderSessions as Sessions } from "@docent/people/readers/readers";

interface ReaderDoorOptions {
  vouchers: Pick<Vouchers, "providers" | "proxy">;
  sessions: Sessions;
  basePath: string;
  publicUrl: () => string;
}

/** How readers are known who come without a token of their site. */
export interface ReaderDoor {
  /** Who a request says it is from, without any session. */
  sources: readonly ReaderSource[];
  /** The providers with which readers sign in. */
  ways(): readonly SignInWay[];
  /** What the providers are called that vouch for readers, or for agents that read for them. */
  vouching(): readonly string[];
  /** The cookie of their sessions. */
  cookie(): ReaderCookie;
  /** For the routes by which one comes back from a provider, and for its notices. */
  sessions: ReaderSessions;
}

export function openReaderDoor({ vouchers, sessions, basePath, publicUrl }: ReaderDoorOptions): ReaderDoor {
  const { proxy } = vouchers;
  const cookie = () => readerCookie(publicUrl(), basePath, sessions.lifetimeMs);
  const providers = vouchers.providers.filter(({ readers }) => readers);
  return {
    sources: proxy?.readers ? [async (request, peer) => proxy.identify(request, peer)] : [],
    ways: () =>
      providers.map(({ name, label }) => ({
        label,
        href(address) {
          const returnTo = address.startsWith(`${basePath}/`) ? address.slice(basePath.length) : "/";
          const query = new URLSearchParams({ purpose: "reader", returnTo });
          // One comes back to the server's own address, where the cookie is, whatever host name the site has been given.
          return `${publicUrl()}/v1/sign-in/${name}?${query}`;
        },
      })),
    vouching: () =>
      vouchers.providers
        .filter(({ readers, mcpAudience }) => readers || mcpAudience !== undefined)
        .map(({ label }) => label),
    cookie,
    sessions: {
      async begin({ identity, provider, sid, endsAt }) {
        return {
          cookies: [cookie().give(await sessions.begin(identity, { provider, sid, expiresAt: endsAt }))],
        };
      },
      endProvided: (notice) => sessions.endOf(notice),
    },
  };
}
