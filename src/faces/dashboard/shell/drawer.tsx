import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "../kit/buttons/icon-button.tsx";
import { listenToMoves } from "../router.ts";
import "./drawer.css";

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The menu on a phone. It goes when a place was chosen. */
export function Drawer(props: DrawerProps) {
  return props.isOpen ? <OpenDrawer {...props} /> : null;
}

function OpenDrawer({ onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => listenToMoves(onClose), [onClose]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser tells of it as cancel.
    <dialog
      ref={dialog}
      className="drawer"
      aria-label="Menu"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <span className="drawer-close">
        <IconButton icon="close" label="Close the menu" onClick={onClose} />
      </span>
      {children}
    </dialog>
  );
}
