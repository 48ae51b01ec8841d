import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Button } from "../buttons/button.tsx";
import { Field } from "../form/field.tsx";
import { TextInput } from "../form/text-input.tsx";
import { Dialog } from "./dialog.tsx";

/** A question before something that cannot be taken back. */
export interface Confirmation {
  title: string;
  /** What it does, and what stays. */
  text: ReactNode;
  /** What the button says: the deed, such as "Remove Ada". */
  action: string;
  kind?: "danger" | "primary";
  /** What has to be typed first, for what is lost for good. */
  typed?: string;
}

type Ask = (confirmation: Confirmation) => Promise<boolean>;
interface Asked extends Confirmation {
  settle: (isAgreed: boolean) => void;
}

const ConfirmContext = createContext<Ask | undefined>(undefined);

/** Asks, and answers with whether it was agreed to: `if (await confirm({…})) …`. */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext);
  if (!ask) throw new Error("useConfirm is used outside of the app");
  return ask;
}

/** Shows what `useConfirm` asks, one at a time. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const ask = useCallback<Ask>(
    (confirmation) =>
      new Promise((resolve) => {
        const settle = (isAgreed: boolean) => {
          setAsked(undefined);
          resolve(isAgreed);
        };
        setAsked((before) => {
          before?.settle(false);
          return { ...confirmation, settle };
        });
      }),
    [],
  );
  return (
    <ConfirmContext value={ask}>
      {children}
      {asked && <Question key={asked.title} {...asked} />}
    </ConfirmContext>
  );
}

function Question({ title, text, action, kind = "danger", typed, settle }: Asked) {
  const [written, setWritten] = useState("");
  const isReady = typed === undefined || written.trim() === typed;
  return (
    <Dialog title={title} isOpen size="small" onClose={() => settle(false)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) settle(true);
        }}
      >
        <div className="quiet">{text}</div>
        {typed !== undefined && (
          <Field label={`Type ${typed} to go on`}>
            <TextInput
              value={written}
              onChange={setWritten}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
          </Field>
        )}
        <div className="dialog-actions">
          <Button onClick={() => settle(false)} {...(typed === undefined && { "data-autofocus": true })}>
            Cancel
          </Button>
          <Button type="submit" kind={kind} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
