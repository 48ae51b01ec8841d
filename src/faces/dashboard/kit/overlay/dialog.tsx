import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button, IconButton } from "../buttons/button.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Called by Escape, the cross or a click beside it, where the dialog is not firm; the parent then closes it. */
  onClose?: () => void;
  children: ReactNode;
  /** The buttons at its end, the one that matters last. */
  actions?: ReactNode;
  size?: "small" | "normal" | "large";
  /** Lets only its buttons close it: no click beside it, no cross, no Escape. */
  isFirm?: boolean;
}

/** Something that is done before the rest goes on. The browser keeps the focus in it; what had it gets it back. */
export function Dialog(props: DialogProps) {
  return props.isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ title, onClose, children, actions, size = "normal", isFirm = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser tells of it as cancel.
    <dialog
      ref={dialog}
      className={`dialog dialog-${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        // Cancel events of a menu or a file's choice inside come by here as well.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isFirm) onClose?.();
      }}
      // Who presses Escape again and again is let out by the browser, whatever the page says.
      onClose={(event) => {
        if (event.target !== event.currentTarget) return;
        if (isFirm) event.currentTarget.showModal();
        else onClose?.();
      }}
      onClick={(event) => {
        if (!isFirm && event.target === event.currentTarget) onClose?.();
      }}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 className="dialog-title" id={id}>
            {title}
          </h2>
          {!isFirm && <IconButton icon="close" label="Close" size="small" onClick={onClose} />}
        </div>
        <div className="dialog-content">{children}</div>
        {actions && <div className="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}

interface FormActionsProps {
  onCancel: () => void;
  isBusy: boolean;
  disabled?: boolean;
  /** What the form does, as its button says. */
  children: ReactNode;
}

/** The end of a form in a dialog: the button that leaves it, and the one that sends it. */
export function FormActions({ onCancel, isBusy, disabled = false, children }: FormActionsProps) {
  return (
    <div className="dialog-actions">
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" kind="primary" busy={isBusy} disabled={disabled}>
        {children}
      </Button>
    </div>
  );
}
