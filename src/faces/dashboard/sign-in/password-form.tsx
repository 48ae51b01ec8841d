import { useState } from "react";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { PasswordInput } from "../kit/form/password-input.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import type { Session } from "../session.ts";
import { useSubmit } from "../use-submit.ts";

interface PasswordFormProps {
  /** Whether it is what one comes for: typing begins here. */
  isFirst: boolean;
  onSignedIn: (session: Session) => void;
}

/** Signs in by name and password. */
export function PasswordForm({ isFirst, onSignedIn }: PasswordFormProps) {
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
export function PasswordHelp() {
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
