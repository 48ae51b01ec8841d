import { Button } from "../../kit/buttons/button.tsx";
import { CopyBox } from "../../kit/buttons/copy-box.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Dialog } from "../../kit/overlay/dialog.tsx";

interface NewKeyDialogProps {
  name: string;
  text: string;
  onClose: () => void;
}

/** Shows an admin key, this once. */
export function NewKeyDialog({ name, text, onClose }: NewKeyDialogProps) {
  return (
    <Dialog
      title={`${name} is made`}
      isOpen
      isFirm
      actions={
        <Button kind="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <div className="stack">
        <Notice tone="warn">Copy the key now: it is not shown again, to anyone.</Notice>
        <CopyBox label="Admin key" text={text} />
        <p className="small quiet">Programs send it in the header Authorization: Bearer …</p>
      </div>
    </Dialog>
  );
}
