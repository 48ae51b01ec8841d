import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Button } from "../kit/buttons/button.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextArea } from "../kit/form/text-area.tsx";

interface ComposerProps {
  isBusy: boolean;
  onAsk: (text: string) => void;
  onStop: () => void;
  /** Puts the conversation away; undefined where there is none. */
  onClear: (() => void) | undefined;
}

/** Where questions are written. Enter sends, Shift and Enter begins a line. */
export function Composer({ isBusy, onAsk, onStop, onClear }: ComposerProps) {
  const [text, setText] = useState("");
  const send = () => {
    if (text.trim() === "" || isBusy) return;
    onAsk(text);
    setText("");
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className="composer" onSubmit={onSubmit}>
      <Field label="Question" isLabelHidden>
        <TextArea
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
          rows={2}
          placeholder="Ask as a reader would…"
        />
      </Field>
      <div className="row-apart">
        <span>
          {onClear && (
            <Button kind="quiet" onClick={onClear}>
              New conversation
            </Button>
          )}
        </span>
        <span>
          {isBusy ? (
            <Button icon="stop" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <Button type="submit" kind="primary" icon="send" disabled={text.trim() === ""}>
              Ask
            </Button>
          )}
        </span>
      </div>
    </form>
  );
}
