import { useEffect, useState } from "react";
import { useApi } from "../api.ts";
import { Button, buttonClass } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Field } from "../kit/form/field.tsx";
import { PasswordInput } from "../kit/form/password-input.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Dialog } from "../kit/overlay/dialog.tsx";
import { hrefOf } from "../router.ts";
import type { Session } from "../session-context.ts";
import { useResource } from "../use-resource.ts";
import { useSubmit } from "../use-submit.ts";
import { beginAt } from "./ways-page.tsx";

interface SignInAgainProps {
  session: Session;
  onSignedIn: (session: Session) => void;
  /** Leaves what was under way, and goes to the page to sign in at. */
  onGiveUp: () => void;
}

/** Signs the same member in again, over the page: what was typed there stays, and goes on where it stopped. */
export function SignInAgain({ session, onSignedIn, onGiveUp }: SignInAgainProps) {
  const { provider } = session.member;
  const Again = provider === null ? WithPassword : WithProvider;
  return (
    <Dialog title="Please sign in again" isOpen isFirm size="small">
      <p className="quiet">
        You have been signed out. Nothing on this page is lost: it goes on where it stopped.
      </p>
      <Again session={session} onSignedIn={onSignedIn} onGiveUp={onGiveUp} />
    </Dialog>
  );
}

function WithPassword({ session, onSignedIn, onGiveUp }: SignInAgainProps) {
  const { name } = session.member;
  const api = useApi();
  const [password, setPassword] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    onSignedIn(await api.post<Session>("/v1/session", { name, password }));
  });
  return (
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
  );
}

/** In another tab, since this one would lose the page. It goes on as soon as the same member is signed in. */
function WithProvider({ session, onSignedIn, onGiveUp }: SignInAgainProps) {
  const { id, provider } = session.member;
  const now = useResource<Session>("/v1/session", { everyMs: CHECK_MS });
  const { data } = now;
  const isOther = data !== undefined && data.member.id !== id;
  useEffect(() => {
    if (data && data.member.id === id) onSignedIn(data);
  }, [data, id, onSignedIn]);
  return (
    <div className="stack">
      {isOther && (
        <Notice tone="warn">
          You signed in as {data.member.name}. To go on here, sign in as {session.member.name}.
        </Notice>
      )}
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onGiveUp}>
          Leave this page
        </Button>
        <a
          className={buttonClass("primary", "normal")}
          href={
            provider === null || provider === "proxy" ? hrefOf("/account") : beginAt(provider, "/account")
          }
          target="_blank"
          rel="noreferrer"
          data-autofocus
        >
          Sign in in another tab
        </a>
      </div>
    </div>
  );
}

const CHECK_MS = 3000;
