import { useField } from "../kit/form/field.tsx";

const RADIUS_PIXELS_MAX = 24;

/** How round corners are. */
export function RadiusInput({ value, onChange }: { value: number; onChange: (pixels: number) => void }) {
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
