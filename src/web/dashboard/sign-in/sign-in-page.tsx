import { useEffect, useState } from "react";
import { Splash } from "../kit/feedback/splash.tsx";
import type { Session } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { LinkPage } from "./link-page.tsx";
import { PasswordPage } from "./password-page.tsx";

interface SignInPageProps {
  onSignedIn: (session: Session) => void;
}

/** `/sign-in`: by password, or by a one-time link, whose secret is in the address behind the `#`. */
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
  if (state !== "failed") return <Splash label="Looking who is signed in" />;
  return <PasswordPage onSignedIn={onSignedIn} />;
}

/** The secret of a one-time link, which stands behind the `#`: there it is never sent by itself. */
export function linkSecret(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("link") || undefined;
}
