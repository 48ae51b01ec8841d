import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../buttons/button.tsx";
import { Icon } from "../icons/icon.tsx";
import "./toast.css";

/** How a message is shown. */
export interface ToastOptions {
  tone?: "good" | "bad";
  /** What can be done about it for as long as it is shown: `{label: "Undo", run}`. */
  action?: { label: string; run: () => void };
}

type ShowToast = (text: string, options?: ToastOptions) => void;
interface Toast extends ToastOptions {
  id: number;
  text: string;
}

const SHOWN_MS = 5000;
/** A toast with a button stays longer: there has to be time to find it. */
const WITH_ACTION_MS = 12_000;
const TOASTS_MAX = 3;

const ToastContext = createContext<ShowToast | undefined>(undefined);

/** Says in passing that something was done: `toast("Saved")`. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (!show) throw new Error("useToast is used outside of the app");
  return show;
}

/** Shows what `useToast` says, and has it spoken. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const nextId = useRef(0);
  const show = useCallback<ShowToast>((text, options = {}) => {
    nextId.current += 1;
    const toast = { ...options, text, id: nextId.current };
    setToasts((before) => [...before, toast].slice(-TOASTS_MAX));
  }, []);
  const remove = useCallback(
    (id: number) => setToasts((before) => before.filter((each) => each.id !== id)),
    [],
  );
  const hasToasts = toasts.length > 0;
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In the top layer: above a dialog that is open.
    if (hasToasts) layer.current?.showPopover?.();
    else layer.current?.hidePopover?.();
  }, [hasToasts]);
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite" popover="manual" ref={layer}>
        {toasts.map((toast) => (
          <Message key={toast.id} {...toast} remove={remove} />
        ))}
      </div>
    </ToastContext>
  );
}

function Message({ id, text, tone = "good", action, remove }: Toast & { remove: (id: number) => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const before = useRef<EventTarget | null>(null);
  const lastsMs = action ? WITH_ACTION_MS : SHOWN_MS;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => remove(id), lastsMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, lastsMs, remove]);
  const close = () => {
    // The keyboard goes back to where it came from.
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    remove(id);
  };
  const run = () => {
    action?.run();
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens but that it stays while it is looked at.
    <div
      className={`toast toast-${tone}`}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        setIsHeld(true);
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) before.current = relatedTarget;
      }}
      onBlur={() => setIsHeld(false)}
    >
      <Icon name={tone === "good" ? "check" : "warning"} />
      <span className="toast-text">{text}</span>
      {action && (
        <Button size="small" kind="quiet" onClick={run}>
          {action.label}
        </Button>
      )}
      <IconButton size="small" icon="close" label="Dismiss" onClick={close} />
    </div>
  );
}
