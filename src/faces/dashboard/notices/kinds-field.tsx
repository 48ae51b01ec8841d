import { useId } from "react";
import { Switch } from "../kit/form/switch.tsx";
import { Icon } from "../kit/icons/icon.tsx";
import "../kit/form/text-list.css";
import { KIND_WORDS, kindsFor, type NoticeKind } from "./notice-words.ts";

interface KindsFieldProps {
  /** Whether it is of the server, which alone is told of the server. */
  isOfServer: boolean;
  kinds: readonly NoticeKind[];
  onChange: (kinds: NoticeKind[]) => void;
  error: string | undefined;
}

/** What a destination is told of. */
export function KindsField({ isOfServer, kinds, onChange, error }: KindsFieldProps) {
  const id = useId();
  const set = (kind: NoticeKind, isChosen: boolean) =>
    onChange(kindsFor(true).filter((each) => (each === kind ? isChosen : kinds.includes(each))));
  return (
    <fieldset className="field-set" aria-describedby={error && id}>
      <legend>It is told when</legend>
      {kindsFor(isOfServer).map((kind) => (
        <Switch
          key={kind}
          label={KIND_WORDS[kind].label}
          hint={KIND_WORDS[kind].hint}
          checked={kinds.includes(kind)}
          onChange={(isChosen) => set(kind, isChosen)}
        />
      ))}
      {error && (
        <div className="field-error" id={id} role="alert">
          <Icon name="warning" size={15} />
          {error}
        </div>
      )}
    </fieldset>
  );
}
