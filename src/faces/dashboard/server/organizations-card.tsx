import type { organizationShape } from "@docent/doors/admin/shapes";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Card } from "../kit/layout/card.tsx";
import { Dialog, FormActions } from "../kit/overlay/dialog.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { type Column, Table } from "../kit/table/table.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { useSessionState } from "../session-context.ts";
import { useResource } from "../use-resource.ts";
import { useSites } from "../use-sites.tsx";
import { useSubmit } from "../use-submit.ts";

type Organization = z.output<typeof organizationShape>;

/** Who owns sites here. Limits count for each, and members belong to them. */
export function OrganizationsCard() {
  const organizations = useResource<Organization[]>("/v1/admin/organizations");
  const sites = useSites();
  const [isAdding, setIsAdding] = useState(false);
  const countOf = (id: string) =>
    (sites.data ?? []).filter(({ organizationId }) => organizationId === id).length;
  const columns: Column<Organization>[] = [
    { title: "Name", cell: ({ name }) => name },
    { title: "Sites", cell: ({ id }) => formatNumber(countOf(id)), align: "end", isNarrow: true },
    { title: "Since", cell: ({ createdAt }) => <Time at={createdAt} />, isNarrow: true },
  ];
  return (
    <Card
      title="Organizations"
      description="They own sites. Members, keys and the hourly limits are theirs."
      actions={
        <Button size="small" icon="add" onClick={() => setIsAdding(true)}>
          Add one
        </Button>
      }
    >
      <Loaded of={organizations} label="Loading the organizations" shape="rows" lines={2}>
        {(list) => <Table label="Organizations" rows={list} columns={columns} keyOf={({ id }) => id} />}
      </Loaded>
      {isAdding && (
        <AddDialog
          onClose={() => setIsAdding(false)}
          onAdded={() => {
            setIsAdding(false);
            void organizations.reload();
          }}
        />
      )}
    </Card>
  );
}

function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const api = useApi();
  const toast = useToast();
  const session = useSessionState();
  const [name, setName] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const added = await api.post<Organization>("/v1/admin/organizations", { name });
    toast(`${added.name} is added.`);
    await session.reload();
    onAdded();
  });
  return (
    <Dialog title="Add an organization" isOpen size="small" onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        <Field
          label="Name"
          hint="It stands in the addresses of its sites' pages here."
          error={error?.message}
        >
          <TextInput value={name} onChange={setName} maxLength={100} data-autofocus required />
        </Field>
        <FormActions onCancel={onClose} isBusy={isBusy} disabled={name.trim() === ""}>
          Add it
        </FormActions>
      </form>
    </Dialog>
  );
}
