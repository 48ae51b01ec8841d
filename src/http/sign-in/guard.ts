import type { SignInPlace } from "../../members/sign-in.ts";
import { checkSentHere } from "../guard/guard.ts";
import type { Guard } from "../operation.ts";
import { placeOf, type SessionDoor } from "../session/guard.ts";

interface SignInGuarded {
  place: SignInPlace;
}
export type SignInGuard = Guard<SignInGuarded>;

/**
 * Browsers come here by links from a provider's pages, so that another site's page may lead here: what is done is bound to
 * what the browser itself keeps. No address that it leads to learns where the browser was.
 */
export function signInGuard(door: SessionDoor): SignInGuard {
  return {
    opens: "none",
    errors: ["forbidden", "internal", "unavailable"],
    admit({ request, peer, replyHeaders }) {
      replyHeaders["cache-control"] = "no-store";
      replyHeaders["referrer-policy"] = "no-referrer";
      checkSentHere(request, door.isNamedHost, door.publicUrl());
      return { place: placeOf(door, request, peer()) };
    },
  };
}
