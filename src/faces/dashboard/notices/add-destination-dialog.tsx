import { useState } from "react";
import { useApi } from "../api.ts";
import { faultOf, isToldBeside } from "../api-error.ts";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Dialog, FormActions } from "../kit/overlay/dialog.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { type NewNoticeDestination, NOTICES } from "../replies.ts";
import { useSession } from "../session-context.ts";
import { useSubmit } from "../use-submit.ts";
import { KindsField } from "./kinds-field.tsx";
import {
  CHANNEL_WORDS,
  channelLabel,
  kindsAtFirst,
  kindsFor,
  type NoticeChannel,
  type NoticeKind,
} from "./notice-words.ts";
import { ownersFor, SERVER } from "./owners.ts";

const FIELDS = ["name", "address", "kinds"];
const CHANNELS: readonly Option<NoticeChannel>[] = (["mail", "chat", "discord", "webhook"] as const).map(
  (value) => ({ value, label: channelLabel(value) }),
);

interface AddDestinationDialogProps {
  onClose: () => void;
  onAdded: (destination: NewNoticeDestination) => void;
}

/** Adds somewhere that notices go. */
export function AddDestinationDialog({ onClose, onAdded }: AddDestinationDialogProps) {
  const toast = useToast();
  const create = useCreate();
  const owners = ownersFor(useSession());
  const [name, setName] = useState("");
  const [where, setWhere] = useState<Where>({ channel: "mail", address: "" });
  const [owner, setOwner] = useState(owners[0]?.value ?? SERVER);
  const [kinds, setKinds] = useState(kindsAtFirst);
  const isOfServer = owner === SERVER;
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const added = await create({ name, ...where, owner, kinds });
    if (added.secret === null) toast(`${added.name} is added. Try it, to see whether notices arrive.`);
    onAdded(added);
  });
  return (
    <Dialog title="Add a destination" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        {error && !isToldBeside(error, FIELDS) && <Failed error={error} />}
        <Field label="Name" hint="Such as On call, or Docs team." error={faultOf(error, "name")}>
          <TextInput
            value={name}
            onChange={setName}
            autoComplete="off"
            maxLength={200}
            data-autofocus
            required
          />
        </Field>
        <WhereFields where={where} onChange={setWhere} error={faultOf(error, "address")} />
        {owners.length > 1 && (
          <Field label="It is told of" hint={isOfServer ? "Every site, the disk and backups." : undefined}>
            <Select value={owner} options={owners} onChange={setOwner} />
          </Field>
        )}
        <KindsField
          isOfServer={isOfServer}
          kinds={kinds}
          onChange={setKinds}
          error={faultOf(error, "kinds")}
        />
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Add it
        </FormActions>
      </form>
    </Dialog>
  );
}

interface Given extends Where {
  name: string;
  owner: string;
  kinds: readonly NoticeKind[];
}

/** Asks the server to add it: without what only the server's own are told of, where it is not the server's. */
function useCreate(): (given: Given) => Promise<NewNoticeDestination> {
  const api = useApi();
  return ({ owner, kinds, ...given }) => {
    const whose = owner === SERVER ? { server: true } : { organization: owner };
    const told = kindsFor(owner === SERVER).filter((kind) => kinds.includes(kind));
    return api.post<NewNoticeDestination>(NOTICES, { ...given, kinds: told, ...whose });
  };
}

interface Where {
  channel: NoticeChannel;
  address: string;
}

interface WhereFieldsProps {
  where: Where;
  onChange: (where: Where) => void;
  /** What the server says of the address. */
  error: string | undefined;
}

/** By what notices are sent, and to where. */
function WhereFields({ where: { channel, address }, onChange, error }: WhereFieldsProps) {
  const words = CHANNEL_WORDS[channel];
  return (
    <>
      <Field label="Sent by" hint={words.hint}>
        <Select
          value={channel}
          options={CHANNELS}
          onChange={(next) => onChange({ channel: next, address })}
        />
      </Field>
      <Field label={words.address} hint={words.addressHint} error={error}>
        <TextInput
          value={address}
          onChange={(next) => onChange({ channel, address: next })}
          autoComplete="off"
          inputMode={channel === "mail" ? "email" : "url"}
          maxLength={2000}
          placeholder={words.placeholder}
          spellCheck={false}
          isMono
          required
        />
      </Field>
    </>
  );
}
