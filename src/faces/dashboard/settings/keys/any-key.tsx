import { useApi } from "../../api.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { actionsColumn, type Column } from "../../kit/table/table.tsx";
import { Badge, type Tone } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import type { AssistantKey } from "../../site-keys.ts";
import { useAttempt } from "../../use-attempt.ts";

/** What assistant keys and admin keys have in common. */
type AnyKey = Pick<AssistantKey, "id" | "name" | "state" | "lastUsedAt" | "expiresAt">;

const STATES: Record<AnyKey["state"], { text: string; tone: Tone }> = {
  active: { text: "Works", tone: "good" },
  expired: { text: "Expired", tone: "warn" },
  revoked: { text: "Revoked", tone: "quiet" },
};

/** Whether a key works. */
export const STATE_COLUMN: Column<AnyKey> = {
  title: "State",
  cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>,
  isNarrow: true,
};

/** Until when a key is of use. */
export const TIME_COLUMNS: readonly Column<AnyKey>[] = [
  { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, isNarrow: true },
  { title: "Ends", cell: ({ expiresAt }) => <Time at={expiresAt} />, isNarrow: true },
];

/** The button that revokes a key which is not revoked yet. */
export const revokeColumn = <Key extends AnyKey>(revoke: (key: Key) => Promise<void>): Column<Key> =>
  actionsColumn(
    (key) =>
      key.state !== "revoked" && (
        <Button size="small" kind="quiet" onClick={() => void revoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ),
  );

/** Revokes keys of the list at `path`, each once somebody has agreed to what `warning` says. */
export function useRevoke<Key extends AnyKey>(
  path: string,
  warning: (key: Key) => string,
  reload: () => Promise<void>,
): (key: Key) => Promise<void> {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  return async (key) => {
    const { id, name } = key;
    const isAgreed = await confirm({
      title: `Revoke ${name}?`,
      text: `${warning(key)} A revoked key never works again.`,
      action: "Revoke the key",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${path}/${encodeURIComponent(id)}`);
      toast(`${name} is revoked.`);
    });
    await reload();
  };
}

/** When a new key ends, as it is chosen. */
export const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

export type Expiry = (typeof EXPIRIES)[number]["value"];

/** The same as the server takes it. */
export const expiresDaysOf = (expiry: Expiry) => (expiry === "never" ? {} : { expiresDays: Number(expiry) });
