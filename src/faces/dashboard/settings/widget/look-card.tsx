import { Field, useField } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
import { Switch } from "../../kit/form/switch.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { LogoField } from "./logo-field.tsx";
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
