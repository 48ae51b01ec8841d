import type { waysInShape } from "@docent/doors/sign-in/shapes";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "../api.ts";
import { Button, buttonClass } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Field } from "../kit/form/field.tsx";
import { PasswordInput } from "../kit/form/password-input.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { hrefOf, pathTo, useRoute } from "../router.ts";
import type { Session } from "../session-context.ts";
import { useSubmit } from "../use-submit.ts";
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

/** What is said to who comes back from a provider and did not come in. `label` is what its button says. */
const WORDS: Record<string, (label: string) => string> = {
  expired: (label) =>
    `This sign-in was begun in another browser or under another address, is too old, or was used before. Sign in with ${label} again, from here.`,
  refused: (label) => `${label} did not sign you in. If that was not you, ask whoever runs it.`,
  unavailable: (label) =>
    `${label} does not answer at this moment, or not as it should. Who is signed in goes on; try again in a minute. The server’s log says what is wrong.`,
  not_believed: (label) =>
    `What came back from ${label} could not be verified, so that nobody was signed in. The server’s log says why.`,
  no_role: (label) =>
    `You have signed in with ${label}, but none of your groups lets you in here. Ask an owner of this server which group does.`,
};

/** The words for a reason that the address gives; undefined where it gives none that is known. */
function failureWords(reason: string | null, label = "the provider"): string | undefined {
  return reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason]?.(label) : undefined;
}

interface PasswordFormProps {
  /** Whether it is what one comes for: typing begins here. */
  isFirst: boolean;
  onSignedIn: (session: Session) => void;
}

/** Signs in by name and password. */
function PasswordForm({ isFirst, onSignedIn }: PasswordFormProps) {
  const api = useApi();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    onSignedIn(await api.post<Session>("/v1/session", { name, password }));
  });
  return (
    <form onSubmit={onSubmit}>
      {error && <Failed error={error} />}
      <Field label="Name">
        <TextInput
          value={name}
          onChange={setName}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={isFirst}
          required
        />
      </Field>
      <Field label="Password">
        <PasswordInput
          value={password}
          onChange={setPassword}
          name="password"
          autoComplete="current-password"
          required
        />
      </Field>
      <Button type="submit" kind={isFirst ? "primary" : "plain"} busy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

/** What to do without a password. */
function PasswordHelp() {
  return (
    <details>
      <summary>No password yet, or forgotten?</summary>
      <p>
        The first owner signs in with the link that <code>docent serve</code> prints when it starts. Everyone
        else gets a link from an owner.
      </p>
      <p>
        For a new password, ask an owner for a link. Where no owner is left who can sign in, the command{" "}
        <code>docent members link</code> makes one on the server.
      </p>
    </details>
  );
}
