import type { FormEvent, ReactNode } from "react";
import { isToldBeside } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import type { SettingsForm } from "./use-settings-form.ts";
import "./settings.css";

interface SettingsFormProps {
  form: SettingsForm<object>;
  /** The paths of the fields that are shown: what the server says of others is said at the end. */
  fields: readonly string[];
  children: ReactNode;
}

/** A form over settings, with a bar at its end while something is not saved. */
export function SettingsFormFrame({ form, fields, children }: SettingsFormProps) {
  const { isDirty, isBusy, isReadOnly, error } = form;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void form.save();
  };
  const shown = error && !isToldBeside(error, fields) ? error : undefined;
  return (
    <form className="settings-form" onSubmit={onSubmit} noValidate>
      {isReadOnly && <Notice tone="quiet">You can look at these settings. An owner can change them.</Notice>}
      <fieldset className="settings-fields" disabled={isReadOnly}>
        {children}
      </fieldset>
      {shown && <Failed error={shown} />}
      <div className={isDirty ? "save-bar" : "save-bar save-bar-hidden"} inert={!isDirty}>
        <span className="save-bar-text">
          {error ? "Not saved: look at what is marked." : "You have changes that are not saved."}
        </span>
        <span className="save-bar-actions">
          <Button onClick={form.discard} disabled={isBusy}>
            Discard
          </Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            Save
          </Button>
        </span>
      </div>
    </form>
  );
}
