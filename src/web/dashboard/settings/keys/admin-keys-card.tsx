import { useState } from "react";
import type { z } from "zod";
import type { adminKeyShape } from "../../../../http/admin/shapes.ts";
import { useApi } from "../../api.ts";
import { toApiError } from "../../api-error.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { Time } from "../../kit/text/time.tsx";
import { useSession } from "../../session.ts";
import { useResource } from "../../use-resource.ts";
import { CreateAdminKeyDialog, type NewAdminKey } from "./create-admin-key-dialog.tsx";
import { KeyState } from "./keys-table.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

type AdminKey = z.output<typeof adminKeyShape>;

/** The keys of programs that manage sites: for those to whom the server belongs. */
export function AdminKeysCard() {
  const keys = useResource<AdminKey[]>("/v1/admin/admin-keys");
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<NewAdminKey>();

  return (
    <section className="stack" aria-labelledby="admin-keys">
      <div className="row-apart">
        <div>
          <h2 className="keys-title" id="admin-keys">
            Admin keys
          </h2>
          <p className="keys-about">
            They open the admin API for programs, on this site and others. Each is shown once, when it is
            made: keep it as you keep a password.
          </p>
        </div>
        <Button icon="add" onClick={() => setIsCreating(true)}>
          Make an admin key
        </Button>
      </div>
      <Loaded of={keys} label="Loading the admin keys" shape="rows" lines={2} />
      {keys.data?.length === 0 && <p className="quiet">There are none.</p>}
      {keys.data && keys.data.length > 0 && <AdminKeysTable keys={keys.data} reload={keys.reload} />}
      {isCreating && (
        <CreateAdminKeyDialog
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false);
            setCreated(key);
            void keys.reload();
          }}
        />
      )}
      {created && (
        <NewKeyDialog name={created.name} text={created.key} onClose={() => setCreated(undefined)} />
      )}
    </section>
  );
}

interface AdminKeysTableProps {
  keys: AdminKey[];
  reload: () => Promise<void>;
}

function AdminKeysTable({ keys, reload }: AdminKeysTableProps) {
  const { organizations } = useSession();
  const revoke = useRevoke(reload);
  const nameOf = (organizationId: string) =>
    organizations.find(({ id }) => id === organizationId)?.name ?? organizationId;
  const columns: Column<AdminKey>[] = [
    { title: "Name", cell: ({ name }) => name },
    { title: "State", cell: ({ state }) => <KeyState state={state} />, isNarrow: true },
    {
      title: "Opens",
      cell: ({ organizationId }) => (organizationId === null ? "the whole server" : nameOf(organizationId)),
    },
    { title: "May", cell: ({ mayWrite }) => (mayWrite ? "change things" : "only read") },
    { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, isNarrow: true },
    { title: "Ends", cell: ({ expiresAt }) => <Time at={expiresAt} />, isNarrow: true },
    {
      title: "Actions",
      isTitleHidden: true,
      align: "end",
      isNarrow: true,
      cell: (key) =>
        key.state !== "revoked" && (
          <Button
            size="small"
            kind="quiet"
            onClick={() => void revoke(key)}
            aria-label={`Revoke ${key.name}`}
          >
            Revoke
          </Button>
        ),
    },
  ];
  return <Table label="Admin keys" rows={keys} columns={columns} keyOf={({ id }) => id} />;
}

/** Revokes a key, once somebody has agreed to it. */
function useRevoke(reload: () => Promise<void>) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  return async ({ id, name }: AdminKey): Promise<void> => {
    const isAgreed = await confirm({
      title: `Revoke ${name}?`,
      text: "Programs that use it are refused at once. A revoked key never works again.",
      action: "Revoke the key",
    });
    if (!isAgreed) return;
    try {
      await api.delete(`/v1/admin/admin-keys/${encodeURIComponent(id)}`);
      toast(`${name} is revoked.`);
    } catch (failed) {
      toast(toApiError(failed).message, { tone: "bad" });
    }
    await reload();
  };
}
