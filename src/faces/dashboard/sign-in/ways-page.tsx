import type { waysInShape } from "@docent/doors/sign-in/shapes";
import type { z } from "zod";
import { buttonClass } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { hrefOf, pathTo, useRoute } from "../router.ts";
import type { Session } from "../session.ts";
import { failureWords } from "./failure-words.ts";
import { PasswordForm, PasswordHelp } from "./password-form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** How one signs in here. */
export type WaysIn = z.output<typeof waysInShape>;

interface WaysPageProps {
  ways: WaysIn;
  /** Where to go afterwards. */
  next: string;
  onSignedIn: (session: Session) => void;
}

/** The ways to sign in: with a provider, with a password, or with either. */
export function WaysPage({ ways, next, onSignedIn }: WaysPageProps) {
  const { query } = useRoute();
  const providers = ways.providers.filter(({ purposes }) => purposes.includes("member"));
  const came = ways.providers.find(({ name }) => name === query.get("provider"));
  const failure = failureWords(query.get("failed"), came?.label);
  const isOn = ways.passwords === "on";
  return (
    <SignInFrame
      title="Sign in"
      text="To see what readers ask, and to manage their docs."
      foot={isOn && <PasswordHelp />}
    >
      {failure && (
        <div role="alert">
          <Notice tone="warn">{failure}</Notice>
        </div>
      )}
      {providers.length > 0 && (
        <div className="sign-in-providers">
          {providers.map(({ name, label }) => (
            <a key={name} className={buttonClass("primary", "normal")} href={beginAt(name, next)}>
              Sign in with {label}
            </a>
          ))}
        </div>
      )}
      {isOn && providers.length > 0 && <p className="sign-in-or">or with a password</p>}
      {isOn ? (
        <PasswordForm isFirst={providers.length === 0} onSignedIn={onSignedIn} />
      ) : (
        <details className="sign-in-emergency">
          <summary>Sign in with a password</summary>
          <p className="quiet small">
            For emergencies, by the one member whom whoever runs this server keeps for them.
          </p>
          <PasswordForm isFirst={false} onSignedIn={onSignedIn} />
        </details>
      )}
    </SignInFrame>
  );
}

/** The address that begins to sign in with a provider, and leads back to a page of the dashboard. */
export const beginAt = (provider: string, next: string) =>
  hrefOf(pathTo(["v1", "sign-in", provider], next === "/" ? {} : { returnTo: next }));
