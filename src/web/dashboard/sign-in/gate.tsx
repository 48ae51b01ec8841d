import { useEffect } from "react";
import { Failed } from "../kit/feedback/failed.tsx";
import { Splash } from "../kit/feedback/splash.tsx";
import { currentAddress, navigate } from "../router.ts";
import type { Session } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

/** Finds out who is signed in. Who is nobody is led to the page for it, and back after it. */
export function Gate({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { state, data, error, reload } = useResource<Session>("/v1/session");
  const isSignedOut = error?.status === 401;
  useEffect(() => {
    if (data) onSignedIn(data);
    else if (isSignedOut) navigate(signInPath(currentAddress()), { replace: true });
  }, [data, isSignedOut, onSignedIn]);
  if (state !== "failed" || isSignedOut) return <Splash label="Looking who is signed in" />;
  return (
    <SignInFrame title="Docent does not answer">
      <Failed error={error} retry={() => void reload()} />
    </SignInFrame>
  );
}

/** The page to sign in at, which leads back to an address of the app. */
export const signInPath = (address: string) =>
  address === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(address)}`;
