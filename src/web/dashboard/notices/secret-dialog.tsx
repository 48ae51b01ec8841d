import { ShownOnceDialog } from "../kit/overlay/shown-once-dialog.tsx";
import type { NewNoticeDestination } from "../replies.ts";

interface SecretDialogProps {
  destination: Pick<NewNoticeDestination, "name" | "secret">;
  onClose: () => void;
}

/** Shows what a webhook's notices are signed with, this once. */
export function SecretDialog({ destination: { name, secret }, onClose }: SecretDialogProps) {
  return (
    <ShownOnceDialog
      title={`${name} is added`}
      what="secret"
      label={`Secret of ${name}`}
      text={secret ?? ""}
      onClose={onClose}
    >
      Every notice is signed with it, so that your program can tell that it is Docent’s.
    </ShownOnceDialog>
  );
}
