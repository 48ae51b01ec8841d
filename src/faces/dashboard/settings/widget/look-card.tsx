import { useRef, useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { Field, useField } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
import { Switch } from "../../kit/form/switch.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { isColor, type WidgetLook } from "./widget-look.ts";

const VARIANTS = [
  { value: "button", label: "A button that opens a panel" },
  { value: "modal", label: "A button that opens a dialog in the middle" },
  { value: "inline", label: "A part of the page" },
] as const;
const THEMES = [
  { value: "auto", label: "As the page is, light or dark" },
  { value: "light", label: "Always light" },
  { value: "dark", label: "Always dark" },
] as const;
const POSITIONS = [
  { value: "right", label: "On the right" },
  { value: "left", label: "On the left" },
] as const;

interface LookCardProps {
  look: WidgetLook;
  set: (change: Partial<WidgetLook>) => void;
  fault: (path: string) => string | undefined;
}

/** How the widget looks, and what it offers on a page. */
export function LookCard({ look, set, fault }: LookCardProps) {
  return (
    <Card title="Look">
      <div className="form">
        <Field label="Shape">
          <Select value={look.variant} options={VARIANTS} onChange={(variant) => set({ variant })} />
        </Field>
        {look.variant !== "inline" && (
          <Field label="Where the button is">
            <Select value={look.position} options={POSITIONS} onChange={(position) => set({ position })} />
          </Field>
        )}
        <Field label="Theme">
          <Select value={look.theme} options={THEMES} onChange={(theme) => set({ theme })} />
        </Field>
        <AccentField
          value={look.accent}
          onChange={(accent) => set({ accent })}
          error={fault("settings.widget.accent")}
        />
        <Field label={`Corners: ${look.radius} pixels`} error={fault("settings.widget.radius")}>
          <RadiusInput value={look.radius} onChange={(radius) => set({ radius })} />
        </Field>
        <LogoField
          value={look.logo}
          onChange={(logo) => set({ logo })}
          error={fault("settings.widget.logo")}
        />
        <Switch
          label="Selected text can be asked about"
          hint="Whoever marks text on a page is offered to ask about it."
          checked={look.askAboutSelection}
          onChange={(askAboutSelection) => set({ askAboutSelection })}
        />
        <Switch
          label="Code can be asked about"
          hint="Blocks of code on the page get a button."
          checked={look.askAboutCode}
          onChange={(askAboutCode) => set({ askAboutCode })}
        />
      </div>
    </Card>
  );
}

const RADIUS_PIXELS_MAX = 24;

/** How round corners are. */
function RadiusInput({ value, onChange }: { value: number; onChange: (pixels: number) => void }) {
  return (
    <input
      {...useField()}
      type="range"
      className="range"
      min={0}
      max={RADIUS_PIXELS_MAX}
      step={1}
      value={value}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  );
}

interface AccentFieldProps {
  value: string;
  onChange: (color: string) => void;
  error: string | undefined;
}

/** The colour of buttons and links: picked, or written. */
function AccentField({ value, onChange, error }: AccentFieldProps) {
  return (
    <Field
      label="Accent"
      hint="Of buttons and links. The widget takes a lighter or a darker shade of it where that is needed to be read."
      error={error}
    >
      <span className="accent">
        <input
          type="color"
          className="accent-swatch"
          aria-label="Pick the accent"
          value={isColor(value) ? value : "#000000"}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <TextInput
          value={value}
          onChange={(text) => onChange(text.trim())}
          className="control-narrow"
          maxLength={7}
          spellCheck={false}
          isMono
        />
      </span>
    </Field>
  );
}

/** In base64 it is a third larger, and has to fit into the setting. */
const FILE_BYTES_MAX = 29_000;
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"];

interface LogoFieldProps {
  value: string;
  onChange: (logo: string) => void;
  error: string | undefined;
}

/** The site's picture: an address, or a small file that is kept with the settings. */
function LogoField({ value, onChange, error }: LogoFieldProps) {
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
