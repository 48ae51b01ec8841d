import { Button } from "../kit/buttons/button.tsx";
import { CopyBox } from "../kit/buttons/copy.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Dialog } from "../kit/overlay/dialog.tsx";
import { Time } from "../kit/text/time.tsx";

/** A link to hand to a member. */
export interface ShownLink {
  name: string;
  link: string;
  expiresAt: string;
  isInvitation: boolean;
}

/** Shows a link, the only time that it can be seen. */
export function LinkDialog({
  name,
  link,
  expiresAt,
  isInvitation,
  onClose,
}: ShownLink & { onClose: () => void }) {
  return (
    <Dialog
      title={isInvitation ? `${name} is invited` : `A new password for ${name}`}
      isOpen
      isFirm
      actions={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <p>
        Send this link to {name} through a private channel. It opens a page where they choose{" "}
        {isInvitation ? "a password" : "a new password; until then, the old one works"}.
      </p>
      <CopyBox label={`Link for ${name}`} text={link} />
      <Notice tone="warn">
        This is the only time that the link is shown. It works once, and until <Time at={expiresAt} isWhole />
        .
      </Notice>
    </Dialog>
  );
}
