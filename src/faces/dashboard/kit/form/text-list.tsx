import { useId, useRef } from "react";
import { Button, IconButton } from "../buttons/button.tsx";
import { Icon } from "../icons/icon.tsx";
import { TextInput } from "./text-input.tsx";
import "./text-list.css";

interface TextListProps {
  label: string;
  hint?: string;
  /** What one of them is called: `question`. */
  one: string;
  texts: readonly string[];
  onChange: (texts: string[]) => void;
  max: number;
  placeholder?: string;
  error?: string | undefined;
  maxLength?: number;
  isMono?: boolean;
}

/** A few lines of text, of which some can be added and taken away. Enter adds the next one. */
export function TextList(props: TextListProps) {
  const { label, hint, one, texts, onChange, max, placeholder, error, maxLength, isMono = false } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const focusOn = (index: number) =>
    requestAnimationFrame(() =>
      (list.current?.querySelectorAll("input").item(index) ?? adder.current)?.focus(),
    );
  const add = (index: number) => {
    if (texts.length >= max) return;
    onChange(texts.toSpliced(index, 0, ""));
    focusOn(index);
  };
  const remove = (index: number) => {
    onChange(texts.toSpliced(index, 1));
    focusOn(Math.max(0, index - 1));
  };
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset className="field-set" aria-describedby={described || undefined}>
      <legend>{label}</legend>
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <ul className="text-list" ref={list}>
        {texts.map((text, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place; its text changes with each key.
            key={index}
            name={`${one} ${index + 1}`}
            text={text}
            {...{ placeholder, maxLength, isMono }}
            onChange={(value) => onChange(texts.with(index, value))}
            onEnter={() => add(index + 1)}
            onRemove={() => remove(index)}
          />
        ))}
      </ul>
      {error && (
        <div className="field-error" id={`${id}-error`} role="alert">
          <Icon name="warning" size={15} />
          {error}
        </div>
      )}
      {texts.length < max && (
        <div className="text-list-end">
          <Button ref={adder} size="small" icon="add" onClick={() => add(texts.length)}>
            Add {texts.length === 0 ? articleOf(one) : "another"} {one}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface LineProps {
  /** What it is called: `question 2`. */
  name: string;
  text: string;
  placeholder: string | undefined;
  maxLength: number | undefined;
  isMono: boolean;
  onChange: (text: string) => void;
  onEnter: () => void;
  onRemove: () => void;
}

function Line({ name, text, placeholder, maxLength, isMono, onChange, onEnter, onRemove }: LineProps) {
  return (
    <li>
      <TextInput
        value={text}
        onChange={onChange}
        aria-label={capitalized(name)}
        placeholder={placeholder}
        maxLength={maxLength}
        isMono={isMono}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
    </li>
  );
}

const articleOf = (word: string) => (/^[aeiou]/.test(word) ? "an" : "a");
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
