import { AppError } from "@docent/kernel/errors";
import { MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { JWTPayload } from "jose";
import { noToken } from "../agents.ts";
import type { Identity } from "../identity.ts";
import type { LogoutNotice } from "../providers.ts";
import { SignInFault, wordsOf } from "../sign-in-fault.ts";
import type { ProviderSettings } from "../sign-in-file.ts";
import { identityOf } from "./claims.ts";
import type { ProviderKeys } from "./keys.ts";
import { awayNow } from "./provider-fetch.ts";

/** A notice that is older was delayed by somebody. */
const LOGOUT_AGE_MS = 10 * MINUTE_MS;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const LOGOUT_TYPES = [undefined, "jwt", "logout+jwt", "application/logout+jwt"];
const ID_CHARACTERS_MAX = 500;
/** What Keycloak calls its other tokens. */
const NOT_ACCESS = ["ID", "Logout", "Refresh", "Offline"];
/** What stands in ID tokens alone: hashes of what they came with. */
const ID_TOKEN_CLAIMS = ["at_hash", "c_hash", "s_hash"];

/** Reads the token by which a provider says that a session has ended (back-channel logout). */
export async function readLogoutToken(
  settings: ProviderSettings,
  keys: ProviderKeys,
  token: string,
): Promise<LogoutNotice> {
  try {
    const { payload, header } = await keys.verify(token, {
      issuer: settings.issuer,
      audience: settings.client_id,
      requiredClaims: ["iat", "jti", "events"],
      clockTolerance: settings.clock_skew_seconds,
      maxTokenAge: LOGOUT_AGE_MS / SECOND_MS,
    });
    if (!LOGOUT_TYPES.includes(header.typ?.toLowerCase())) throw new Error("it is a token of another type");
    return noticeIn(settings, payload);
  } catch (error) {
    if (error instanceof SignInFault && error.kind === "unavailable") throw awayNow(error);
    throw new AppError("invalid_request", "logout_token: it is none that ends a session here.", {
      cause: wordsOf(error),
    });
  }
}

function noticeIn({ issuer, clock_skew_seconds }: ProviderSettings, payload: JWTPayload): LogoutNotice {
  const { sub, sid, jti, iat = 0, events, nonce } = payload;
  const isText = (value: unknown) =>
    typeof value === "string" && value !== "" && value.length <= ID_CHARACTERS_MAX;
  const isEvent = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  if (!isEvent) throw new Error("it tells of another event");
  if (nonce !== undefined) throw new Error("it has a nonce, as an ID token");
  if (!isText(jti)) throw new Error("its jti is none");
  if (!isText(sub) && !isText(sid)) throw new Error("it names nobody and no session");
  return {
    issuer,
    subject: isText(sub) ? sub : undefined,
    sid: typeof sid === "string" && isText(sid) ? sid : undefined,
    id: String(jti),
    until: iat * SECOND_MS + LOGOUT_AGE_MS + 2 * clock_skew_seconds * SECOND_MS,
  };
}

/** Reads an agent's access token: signed by the provider, and made for this server. */
export async function readAccessToken(
  settings: ProviderSettings,
  keys: ProviderKeys,
  { token, resource }: { token: string; resource: string | undefined },
): Promise<Identity> {
  const { mcp_audience: audience } = settings;
  if (audience === undefined) throw noToken("the provider has no mcp_audience");
  try {
    const { payload, header } = await keys.verify(token, {
      issuer: settings.issuer,
      audience: resource === undefined ? [audience] : [audience, resource],
      requiredClaims: ["exp", "sub"],
      clockTolerance: settings.clock_skew_seconds,
    });
    const isOther = typeof payload["typ"] === "string" && NOT_ACCESS.includes(payload["typ"]);
    const isIdToken = ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined);
    if (isOther || isIdToken || /logout|secevent/i.test(header.typ ?? ""))
      throw new Error("it is no access token");
    return identityOf(settings, payload);
  } catch (error) {
    if (error instanceof SignInFault && error.kind === "unavailable") throw awayNow(error);
    throw noToken(wordsOf(error));
  }
}
