import { useState } from "react";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { PasswordInput } from "../kit/form/password-input.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Dialog } from "../kit/overlay/dialog.tsx";
import type { Session } from "../session.ts";
import { useSubmit } from "../use-submit.ts";

interface SignInAgainProps {
  name: string;
  onSignedIn: (session: Session) => void;
  /** Leaves what was under way, and goes to the page to sign in at. */
  onGiveUp: () => void;
}

/** Signs the same member in again, over the page: what was typed there stays, and goes on where it stopped. */
export function SignInAgain({ name, onSignedIn, onGiveUp }: SignInAgainProps) {
  const api = useApi();
  const [password, setPassword] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    onSignedIn(await api.post<Session>("/v1/session", { name, password }));
  });
  return (
    <Dialog title="Please sign in again" isOpen isFirm size="small">
      <p className="quiet">
        You have been signed out. Nothing on this page is lost: it goes on where it stopped.
      </p>
      <form className="stack" onSubmit={onSubmit}>
        {error && <Failed error={error} />}
        <Field label="Name">
          <TextInput value={name} onChange={() => {}} name="username" autoComplete="username" readOnly />
        </Field>
        <Field label="Password">
          <PasswordInput
            value={password}
            onChange={setPassword}
            name="password"
            autoComplete="current-password"
            data-autofocus
            required
          />
        </Field>
        <div className="dialog-actions">
          <Button kind="quiet" onClick={onGiveUp}>
            Leave this page
          </Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
