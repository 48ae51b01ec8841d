import { useState } from "react";
import { useApi } from "../api.ts";
import { faultOf, isToldBeside } from "../api-error.ts";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Dialog, FormActions } from "../kit/overlay/dialog.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { NOTICES, type NoticeDestination } from "../replies.ts";
import { useSubmit } from "../use-submit.ts";
import { KindsField } from "./kinds-field.tsx";
import { channelLabel } from "./notice-words.ts";

const FIELDS = ["name", "kinds"];

interface ChangeDestinationDialogProps {
  destination: NoticeDestination;
  onClose: () => void;
  onChanged: () => void;
}

/** Gives a destination another name, or tells it of other things. */
export function ChangeDestinationDialog({ destination, onClose, onChanged }: ChangeDestinationDialogProps) {
  const { id, organizationId, channel, leadsTo } = destination;
  const api = useApi();
  const toast = useToast();
  const [name, setName] = useState(destination.name);
  const [kinds, setKinds] = useState(destination.kinds);
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const changed = await api.patch<NoticeDestination>(`${NOTICES}/${encodeURIComponent(id)}`, {
      name,
      kinds,
    });
    toast(`${changed.name} is changed.`);
    onChanged();
  });
  return (
    <Dialog title={`Change ${destination.name}`} isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        {error && !isToldBeside(error, FIELDS) && <Failed error={error} />}
        <Field label="Name" error={faultOf(error, "name")}>
          <TextInput
            value={name}
            onChange={setName}
            autoComplete="off"
            maxLength={200}
            data-autofocus
            required
          />
        </Field>
        <KindsField
          isOfServer={organizationId === null}
          kinds={kinds}
          onChange={setKinds}
          error={faultOf(error, "kinds")}
        />
        <p className="small quiet wrap-anywhere">
          It stays at {channelLabel(channel)} {leadsTo}: for another address, add another destination.
        </p>
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Save
        </FormActions>
      </form>
    </Dialog>
  );
}
