import { useState } from "react";
import { useApi } from "../api.ts";
import { faultOf } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { PASSWORD_HINT, PasswordInput } from "../kit/form/password-input.tsx";
import { Card } from "../kit/layout/card.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { useSession } from "../session.ts";
import { useSubmit } from "../use-submit.ts";

/** Changes one's password. `onChanged`: other browsers were signed out by it. */
export function PasswordCard({ onChanged }: { onChanged: () => void }) {
  const api = useApi();
  const toast = useToast();
  const { member } = useSession();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    await api.put("/v1/session/password", { current, password });
    setCurrent("");
    setPassword("");
    toast("Your password is changed. Other browsers are signed out.");
    onChanged();
  });
  const faults = { current: faultOf(error, "current"), password: faultOf(error, "password") };
  return (
    <Card title="Password" description="Changing it signs you out in every other browser.">
      <form className="form" onSubmit={onSubmit}>
        {error && !faults.current && !faults.password && <Failed error={error} />}
        <input type="text" name="username" autoComplete="username" value={member.name} readOnly hidden />
        <Field label="Current password" error={faults.current}>
          <PasswordInput value={current} onChange={setCurrent} autoComplete="current-password" required />
        </Field>
        <Field
          label="New password"
          hint={faults.password ? undefined : PASSWORD_HINT}
          error={faults.password}
        >
          <PasswordInput value={password} onChange={setPassword} autoComplete="new-password" required />
        </Field>
        <div>
          <Button type="submit" kind="primary" busy={isBusy}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  );
}
