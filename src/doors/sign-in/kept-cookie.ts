import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { KeptState, KeptStates } from "@docent/people/identity/identity";
import { cookieValue } from "../session/cookie.ts";

const NAME = "docent_sign_in_";
/** Of the state, in the cookie's name: tabs that sign in at the same time do not lose each other's. */
const STATE_CHARACTERS = 12;
/** How many sign-ins a browser may have begun. */
const BEGUN_MAX = 5;

/** The cookies in which a browser keeps what it began to sign in with. */
interface KeptCookies {
  /** The headers that give one; where there are many, they take the others away. */
  give(request: Request, kept: Omit<KeptState, "until">): string[];
  /** What the browser keeps for that state. */
  read(request: Request, state: string): KeptState | undefined;
  /** The header that takes it away. */
  take(state: string): string;
}

/**
 * They come with a link from the provider's pages, which those of the session do not. Where the whole host is ours, nothing
 * beside it can plant one.
 */
export function keptCookies(publicUrl: string, basePath: string, states: KeptStates): KeptCookies {
  const isSecure = URL.parse(publicUrl)?.protocol === "https:";
  const prefix = isSecure ? (basePath === "" ? "__Host-" : "__Secure-") : "";
  const flags = `Path=${basePath || "/"}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const nameFor = (state: string) =>
    `${prefix}${NAME}${state.replace(/[^A-Za-z0-9]/g, "").slice(0, STATE_CHARACTERS)}`;
  const takeName = (name: string) => `${name}=; Max-Age=0; ${flags}`;
  return {
    give(request, kept) {
      const pattern = new RegExp(`(?:^|;\\s*)(${prefix}${NAME}[A-Za-z0-9]{1,${STATE_CHARACTERS}})=`, "g");
      const begun = [...(request.headers.get("cookie") ?? "").matchAll(pattern)].map(([, name = ""]) => name);
      const value = `${nameFor(kept.state)}=${states.seal(kept)}`;
      return [
        ...(begun.length < BEGUN_MAX ? [] : begun.map(takeName)),
        `${value}; Max-Age=${Math.floor(states.lifetimeMs / SECOND_MS)}; ${flags}`,
      ];
    },
    read(request, state) {
      const sealed = state === "" ? undefined : cookieValue(request, nameFor(state));
      const kept = sealed === undefined ? undefined : states.open(sealed);
      return kept?.state === state ? kept : undefined;
    },
    take: (state) => takeName(nameFor(state)),
  };
}
