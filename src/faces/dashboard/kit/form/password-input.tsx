import { useState } from "react";
import { Button } from "../buttons/button.tsx";
import { TextInput, type TextInputProps } from "./text-input.tsx";
import "./password-input.css";

/** What a new password has to be like. */
export const PASSWORD_HINT =
  "At least 10 characters. A few words that only you would put together work well.";

/** A password, which may be looked at. */
export function PasswordInput(props: Omit<TextInputProps, "type">) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="password">
      <TextInput
        {...props}
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        spellCheck={false}
        autoCorrect="off"
      />
      <Button
        kind="quiet"
        size="small"
        aria-pressed={isShown}
        aria-label="Show the password"
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? "Hide" : "Show"}
      </Button>
    </div>
  );
}
