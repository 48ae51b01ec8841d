import { useApi } from "../api.ts";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { counted } from "../kit/text/format-number.ts";
import { NOTICES, type NoticeDestination } from "../replies.ts";
import { useAttempt } from "../use-attempt.ts";

/** Removes a destination, once that is agreed to. */
export function useRemoveDestination(
  reload: () => Promise<void>,
): (destination: NoticeDestination) => Promise<void> {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  return async ({ id, name, waiting }) => {
    const lost =
      waiting === 0
        ? ""
        : ` ${counted(waiting, "notice")} that still ${waiting === 1 ? "waits is" : "wait are"} not sent.`;
    const isAgreed = await confirm({
      title: `Remove ${name}?`,
      text: `Nothing is told there from then on.${lost}`,
      action: `Remove ${name}`,
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${NOTICES}/${encodeURIComponent(id)}`);
      toast(`${name} is removed.`);
    });
    await reload();
  };
}
