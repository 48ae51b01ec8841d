import { useState } from "react";
import { useApi } from "../../api.ts";
import { faultOf, isToldBeside } from "../../api-error.ts";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Field } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { TextList } from "../../kit/form/text-list.tsx";
import { Dialog, FormActions } from "../../kit/overlay/dialog.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import type { SiteView } from "../../site-view.ts";
import { filledLines } from "../../text.ts";
import { useSubmit } from "../../use-submit.ts";
import { EXPIRIES, type Expiry, expiresDaysOf } from "./expiries.ts";

const FIELDS = ["name", "addresses", "expiresDays"];
const ADDRESSES_MAX = 100;

interface CreateKeyDialogProps {
  site: SiteView;
  onClose: () => void;
  onCreated: () => void;
}

/** Makes an assistant key, for the site or for all of its organization. */
export function CreateKeyDialog({ site, onClose, onCreated }: CreateKeyDialogProps) {
  const api = useApi();
  const toast = useToast();
  const [name, setName] = useState("");
  const [opens, setOpens] = useState<"site" | "all">("site");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [addresses, setAddresses] = useState<string[]>([]);
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    await api.post("/v1/admin/keys", {
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      organization: site.organizationId,
      ...(opens === "site" ? { sites: [site.domain] } : {}),
      ...expiresDaysOf(expiry),
      ...(filledLines(addresses).length === 0 ? {} : { addresses: filledLines(addresses) }),
    });
    toast("The key is made.");
    onCreated();
  });
  return (
    <Dialog title="Make an assistant key" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        {error && !isToldBeside(error, FIELDS) && <Failed error={error} />}
        <Field
          label="Name"
          hint="Where it is used, such as Docs widget."
          isOptional
          error={faultOf(error, "name")}
        >
          <TextInput value={name} onChange={setName} maxLength={200} data-autofocus />
        </Field>
        <Field label="Opens">
          <Select
            value={opens}
            onChange={setOpens}
            options={[
              { value: "site", label: `${site.name} alone` },
              { value: "all", label: `Every site of ${site.organizationName}, those to come included` },
            ]}
          />
        </Field>
        <Field label="Ends" error={faultOf(error, "expiresDays")}>
          <Select value={expiry} onChange={setExpiry} options={EXPIRIES} />
        </Field>
        <AddressesFields addresses={addresses} onChange={setAddresses} error={faultOf(error, "addresses")} />
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Make the key
        </FormActions>
      </form>
    </Dialog>
  );
}

interface AddressesFieldsProps {
  addresses: string[];
  onChange: (addresses: string[]) => void;
  error: string | undefined;
}

function AddressesFields({ addresses, onChange, error }: AddressesFieldsProps) {
  return (
    <details className="more">
      <summary>Only from some addresses</summary>
      <TextList
        label="Addresses"
        hint="Readers' own addresses or networks, such as 10.0.0.0/8. Without any, it works from anywhere."
        one="address"
        texts={addresses}
        onChange={onChange}
        max={ADDRESSES_MAX}
        placeholder="10.0.0.0/8"
        error={error}
        isMono
      />
    </details>
  );
}
