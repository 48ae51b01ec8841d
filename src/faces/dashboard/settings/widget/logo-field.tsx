import { useRef, useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";

/** In base64 it is a third larger, and has to fit into the setting. */
const FILE_BYTES_MAX = 29_000;
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"];

interface LogoFieldProps {
  value: string;
  onChange: (logo: string) => void;
  error: string | undefined;
}

/** The site's picture: an address, or a small file that is kept with the settings. */
export function LogoField({ value, onChange, error }: LogoFieldProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string>();
  const isFile = value.startsWith("data:");
  const set = (logo: string) => {
    setRefused(undefined);
    onChange(logo);
  };
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (!TYPES.includes(file.type)) setRefused("It is no PNG, JPEG, WebP, GIF or SVG picture.");
    else if (file.size > FILE_BYTES_MAX) setRefused("It is larger than 29 kB. Give its address instead.");
    else set(await asDataUrl(file));
  };
  return (
    <Field
      label="Logo"
      hint="An address that begins with https://, a path of the site such as /img/logo.svg, or a picture of up to 29 kB."
      isOptional
      error={refused ?? error}
    >
      <span className="logo">
        {isFile ? (
          <>
            <img src={value} alt="The logo" className="logo-picture" />
            <Button size="small" onClick={() => set("")}>
              Take it away
            </Button>
          </>
        ) : (
          <TextInput value={value} onChange={(text) => set(text.trim())} placeholder="/img/logo.svg" isMono />
        )}
        <Button size="small" icon="upload" onClick={() => chooser.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={chooser}
          type="file"
          accept={TYPES.join(",")}
          className="visually-hidden"
          tabIndex={-1}
          aria-hidden
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // The same file may be chosen again.
            currentTarget.value = "";
          }}
        />
      </span>
    </Field>
  );
}

async function asDataUrl(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `data:${file.type};base64,${btoa(binary)}`;
}
