import { useEffect, useMemo, useRef, useState } from "react";
import { ApiContext, createApi } from "./api.ts";
import { ConfirmProvider } from "./kit/overlay/confirm.tsx";
import { ToastProvider } from "./kit/overlay/toast.tsx";
import { basePath } from "./router.ts";
import type { Session } from "./session-context.ts";
import { Pages } from "./shell/shell.tsx";
import { SignInAgain } from "./sign-in/sign-in.tsx";

/** What waits for the member to sign in again; answered once for all who wait. */
interface Waiting {
  answer: Promise<boolean>;
  settle(isSignedIn: boolean): void;
}

/** The dashboard. */
export function App() {
  const [session, setSession] = useState<Session>();
  const [isExpired, setIsExpired] = useState(false);
  const known = useRef<Session>(undefined);
  const waiting = useRef<Waiting>(undefined);
  useEffect(() => {
    known.current = session;
  }, [session]);

  const api = useMemo(
    () =>
      createApi({
        base: basePath(),
        fetch: (url, init) => fetch(url, init),
        // Who was never signed in is led to the page for it; who was, stays where they are.
        signInAgain() {
          if (known.current === undefined) return Promise.resolve(false);
          waiting.current ??= startWaiting();
          setIsExpired(true);
          return waiting.current.answer;
        },
      }),
    [],
  );

  const settle = (signedIn: Session | undefined) => {
    setIsExpired(false);
    if (signedIn) setSession(signedIn);
    waiting.current?.settle(signedIn !== undefined);
    waiting.current = undefined;
  };

  return (
    <ApiContext value={api}>
      <ToastProvider>
        <ConfirmProvider>
          <Pages session={session} setSession={setSession} />
          {isExpired && session && (
            <SignInAgain
              session={session}
              onSignedIn={settle}
              onGiveUp={() => {
                settle(undefined);
                setSession(undefined);
              }}
            />
          )}
        </ConfirmProvider>
      </ToastProvider>
    </ApiContext>
  );
}

function startWaiting(): Waiting {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { answer: promise, settle: resolve };
}
