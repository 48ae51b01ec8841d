import { ownPath } from "@docent/kernel/text/safe-url";
import { useEffect, useState } from "react";
import { Failed } from "../kit/feedback/failed.tsx";
import { Splash } from "../kit/feedback/splash.tsx";
import { currentAddress, navigate, useRoute } from "../router.ts";
import type { Session } from "../session-context.ts";
import { useResource } from "../use-resource.ts";
import { LinkPage } from "./link-page.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { type WaysIn, WaysPage } from "./ways-page.tsx";

interface SignInPageProps {
  onSignedIn: (session: Session) => void;
}

/** `/sign-in`: with a provider or a password, or by a one-time link, whose secret is in the address behind the `#`. */
export function SignInPage({ onSignedIn }: SignInPageProps) {
  const [link, setLink] = useState(() => linkSecret(location.hash));
  useEffect(() => {
    const read = () => setLink(linkSecret(location.hash));
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  if (link !== undefined) {
    // A link that is used up is not left in the history: `leave` is told to the address as well.
    const leave = () => history.replaceState(history.state, "", location.pathname + location.search);
    return (
      <LinkPage
        key={link}
        link={link}
        onSignedIn={onSignedIn}
        onLeave={() => {
          leave();
          setLink(undefined);
        }}
      />
    );
  }
  return <WithoutLink onSignedIn={onSignedIn} />;
}

function WithoutLink({ onSignedIn }: SignInPageProps) {
  const { state, data } = useResource<Session>("/v1/session");
  useEffect(() => {
    if (data) onSignedIn(data);
  }, [data, onSignedIn]);
  const isNobody = state === "failed";
  const ways = useResource<WaysIn>(isNobody ? "/v1/sign-in" : null);
  const { query } = useRoute();
  if (!isNobody || ways.state === "loading") return <Splash label="Checking who is signed in" />;
  return (
    <WaysPage
      ways={ways.data ?? { providers: [], passwords: "on" }}
      next={nextPath(query.get("next"))}
      onSignedIn={onSignedIn}
    />
  );
}

/** The secret of a one-time link, which stands behind the `#`: there it is never sent by itself. */
export function linkSecret(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("link") || undefined;
}

/** Finds out who is signed in. Who is nobody is led to the page for it, and back after it. */
export function Gate({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { state, data, error, reload } = useResource<Session>("/v1/session");
  const isSignedOut = error?.status === 401;
  useEffect(() => {
    if (data) onSignedIn(data);
    else if (isSignedOut) navigate(signInPath(currentAddress()), { replace: true });
  }, [data, isSignedOut, onSignedIn]);
  if (state !== "failed" || isSignedOut) return <Splash label="Checking who is signed in" />;
  return (
    <SignInFrame title="Docent does not answer">
      <Failed error={error} retry={() => void reload()} />
    </SignInFrame>
  );
}

/** The page to sign in at, which leads back to an address of the app. */
export const signInPath = (address: string) =>
  address === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(address)}`;

/**
 * Where to go after signing in: a path of this app, whatever the address asked for. Anything that a browser could read as
 * another site leads home.
 */
export function nextPath(asked: string | null): string {
  const path = asked === null ? undefined : ownPath(asked);
  return path === undefined || /^\/sign-in(?:\?|$)/.test(path) ? "/" : path;
}
