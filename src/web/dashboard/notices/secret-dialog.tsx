import { Button } from "../kit/buttons/button.tsx";
import { CopyBox } from "../kit/buttons/copy-box.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Dialog } from "../kit/overlay/dialog.tsx";
import type { NewNoticeDestination } from "../replies.ts";

interface SecretDialogProps {
  destination: Pick<NewNoticeDestination, "name" | "secret">;
  onClose: () => void;
}

/** Shows what a webhook's notices are signed with, the only time that it can be seen. */
export function SecretDialog({ destination: { name, secret }, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={`${name} is added`}
      isOpen
      isFirm
      actions={
        <Button kind="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <div className="stack">
        <p>Every notice is signed with this secret, so that your program can tell that it is Docent’s.</p>
        <CopyBox label={`Secret of ${name}`} text={secret ?? ""} />
        <Notice tone="warn">This is the only time that the secret is shown.</Notice>
      </div>
    </Dialog>
  );
}
