import type { ReactNode } from "react";
import { Button } from "../buttons/button.tsx";
import { CopyBox } from "../buttons/copy.tsx";
import { Notice } from "../feedback/notice.tsx";
import { Dialog } from "./dialog.tsx";

interface ShownOnceDialogProps {
  title: string;
  /** What it is, as in "Copy the key now". */
  what: string;
  /** What the box is called that holds it. */
  label: string;
  text: string;
  /** What it is for. */
  children: ReactNode;
  onClose: () => void;
}

/** Shows a key or a secret, this once: it is closed by whoever says that they have it, and not by accident. */
export function ShownOnceDialog({ title, what, label, text, children, onClose }: ShownOnceDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen
      isFirm
      actions={
        <Button kind="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <div className="stack">
        <Notice tone="warn">Copy the {what} now: it is not shown again, to anyone.</Notice>
        <CopyBox label={label} text={text} />
        <p className="small quiet">{children}</p>
      </div>
    </Dialog>
  );
}
