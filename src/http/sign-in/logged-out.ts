import { AppError } from "../../errors.ts";
import type { Provider } from "../../identity/identity.ts";
import { hashSecret } from "../../lib/secrets.ts";
import type { SignInOptions } from "./options.ts";

/** Ends the sessions that a provider says have ended. Raises `invalid_request` for a token that says nothing here. */
export async function loggedOut(
  { vouchers, door, readers, clock, log }: SignInOptions,
  provider: Provider,
  token: string,
): Promise<void> {
  const notice = await provider.readLogoutToken(token);
  const hash = hashSecret(JSON.stringify(["logout", notice.issuer, notice.id]));
  if (!(await vouchers.once.use(hash, clock(), notice.until)))
    throw new AppError("invalid_request", "logout_token: it was used before.");
  const ended = await door.sessions.endProvided(notice);
  const endedReading = (await readers?.endProvided(notice)) ?? 0;
  log.info("a provider ended sessions", { provider: provider.name, sessions: ended + endedReading });
}
