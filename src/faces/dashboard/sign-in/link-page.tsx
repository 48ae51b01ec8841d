import type { linkShape } from "@docent/doors/session/shapes";
import { useEffect, useState } from "react";
import type { z } from "zod";
import { isAbort, useApi } from "../api.ts";
import { type ApiError, faultOf, toApiError } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Splash } from "../kit/feedback/splash.tsx";
import { Field } from "../kit/form/field.tsx";
import { PASSWORD_HINT, PasswordInput } from "../kit/form/password-input.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import type { Session } from "../session-context.ts";
import { useSubmit } from "../use-submit.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

interface LinkPageProps {
  link: string;
  onSignedIn: (session: Session) => void;
  /** Signs in by password instead. */
  onLeave: () => void;
}

/** What a one-time link opens: its owner chooses a password, and the first owner a name as well. */
export function LinkPage({ link, onSignedIn, onLeave }: LinkPageProps) {
  const { state, error, look } = useLook(link);
  const back = (
    <Button kind="quiet" size="small" icon="back" onClick={onLeave}>
      Sign in with a password
    </Button>
  );
  if (error) {
    return (
      <SignInFrame title="This link opens nothing" foot={back}>
        <Failed error={error} {...(error.status !== 404 && { retry: look })} />
        <p className="quiet small">
          A link works once, and for a few days. An owner can make another one under Members; on the server,{" "}
          <code>docent members link</code> does.
        </p>
      </SignInFrame>
    );
  }
  if (!state) return <Splash label="Reading the link" />;
  return <Choose link={link} state={state} onSignedIn={onSignedIn} foot={back} />;
}

function useLook(link: string) {
  const api = useApi();
  const [state, setState] = useState<LinkState>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt looks anew.
  useEffect(() => {
    const controller = new AbortController();
    setError(undefined);
    api
      .post<LinkState>("/v1/session/link", { link }, { signal: controller.signal })
      .then(setState)
      .catch((failed) => {
        if (!isAbort(failed)) setError(toApiError(failed));
      });
    return () => controller.abort();
  }, [api, link, attempt]);
  return { state, error, look: () => setAttempt((before) => before + 1) };
}

interface ChooseProps extends Omit<LinkPageProps, "onLeave"> {
  state: LinkState;
  foot: React.ReactNode;
}

function Choose({ link, state: { purpose, name: known }, onSignedIn, foot }: ChooseProps) {
  const api = useApi();
  const [name, setName] = useState(known ?? "");
  const [password, setPassword] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const chosen = known === null ? { name } : {};
    onSignedIn(await api.put<Session>("/v1/session/link", { link, password, ...chosen }));
  });
  const { title, text, action } = WORDS[purpose];
  const faults = { name: faultOf(error, "name"), password: faultOf(error, "password") };
  const isOfField = faults.name !== undefined || faults.password !== undefined;
  return (
    <SignInFrame title={title(known ?? "")} text={text} foot={purpose === "first" ? undefined : foot}>
      <form onSubmit={onSubmit}>
        {error && !isOfField && <Failed error={error} />}
        {known === null ? (
          <Field label="Your name" hint="You sign in with it, and others see it." error={faults.name}>
            <TextInput
              value={name}
              onChange={setName}
              name="username"
              autoComplete="username"
              maxLength={100}
              autoFocus
              required
            />
          </Field>
        ) : (
          // For the browser's memory of passwords, which keeps them by name.
          <input type="text" name="username" autoComplete="username" value={known} readOnly hidden />
        )}
        <Field label="Password" hint={faults.password ? undefined : PASSWORD_HINT} error={faults.password}>
          <PasswordInput
            value={password}
            onChange={setPassword}
            name="password"
            autoComplete="new-password"
            autoFocus={known !== null}
            required
          />
        </Field>
        <Button type="submit" kind="primary" busy={isBusy}>
          {action}
        </Button>
      </form>
    </SignInFrame>
  );
}

/** What a one-time link is for. */
type LinkState = z.output<typeof linkShape>;

interface Words {
  title: (name: string) => string;
  text: string;
  action: string;
}

/** What is said to who comes with a link. */
const WORDS: Record<LinkState["purpose"], Words> = {
  first: {
    title: () => "Welcome to Docent",
    text: "You are the first one here. Choose a name and a password: this server is then yours to manage.",
    action: "Begin",
  },
  invited: {
    title: (name) => `Welcome, ${name}`,
    text: "You were invited to this Docent. Choose a password to sign in with from now on.",
    action: "Set the password and sign in",
  },
  reset: {
    title: () => "Choose a new password",
    text: "The old one stops working, and you are signed out everywhere else.",
    action: "Set the password and sign in",
  },
};
