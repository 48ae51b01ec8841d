import { useApi } from "../api.ts";
import { toApiError } from "../api-error.ts";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import type { AssistantKey } from "./use-keys.ts";

/** What can be done about an assistant key. */
export function useKeyActions(reload: () => Promise<void>) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  return {
    async revoke({ id, name, sites }: AssistantKey): Promise<void> {
      const isAgreed = await confirm({
        title: `Revoke ${name}?`,
        text: `Pages that have this key in their snippet lose the assistant at once${sites === null ? ", on every site of the organization" : ""}. A revoked key never works again.`,
        action: "Revoke the key",
      });
      if (!isAgreed) return;
      try {
        await api.delete(`/v1/admin/keys/${encodeURIComponent(id)}`);
        toast(`${name} is revoked.`);
      } catch (failed) {
        toast(toApiError(failed).message, { tone: "bad" });
      }
      await reload();
    },
  };
}
