/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [number, number, number];

export const CONTRAST_MIN = 4.5;
const WHITE: Color = [255, 255, 255];
/** Black, the one colour that can be read wherever white cannot. */
const BLACK: Color = [0, 0, 0];
/** The grounds that the accent is read on: those of design/tokens.css. */
const LIGHT_GROUND: Color = [246, 247, 248];
const DARK_GROUND: Color = [26, 29, 32];
const STEPS = 40;

/** `#rgb` or `#rrggbb`; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i
    .exec(text)
    ?.slice(1)
    .map((digit) => digit + digit);
  const digits = short ?? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)?.slice(1);
  const [red, green, blue] = (digits ?? []).map((pair) => Number.parseInt(pair, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** How light a colour is, from 0 to 1, as WCAG measures it. */
export function luminance([red, green, blue]: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** How far two colours are apart, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}

/** What an accent becomes where it fills, where it is read, and where it tints what is read on it. */
interface Accent {
  fill: string;
  onFill: string;
  light: string;
  dark: string;
  softLight: string;
  softDark: string;
}

/** An accent whose every use can be read: the fill is the owner's own colour, words are moved as far as they need. */
export function accentOf(color: Color): Accent {
  const onFill = contrast(color, WHITE) >= CONTRAST_MIN ? WHITE : BLACK;
  const softLight = mix(LIGHT_GROUND, color, 0.1);
  const softDark = mix(DARK_GROUND, color, 0.22);
  return {
    fill: css(color),
    onFill: css(onFill),
    light: css(readable(color, [LIGHT_GROUND, softLight], BLACK)),
    dark: css(readable(color, [DARK_GROUND, softDark], WHITE)),
    softLight: css(softLight),
    softDark: css(softDark),
  };
}

function readable(color: Color, grounds: Color[], towards: Color): Color {
  for (let step = 0; step <= STEPS; step++) {
    const tried = mix(color, towards, step / STEPS);
    if (grounds.every((ground) => contrast(tried, ground) >= CONTRAST_MIN)) return tried;
  }
  return towards;
}

const mix = (from: Color, to: Color, share: number): Color => [
  Math.round(from[0] + (to[0] - from[0]) * share),
  Math.round(from[1] + (to[1] - from[1]) * share),
  Math.round(from[2] + (to[2] - from[2]) * share),
];

const css = (color: Color) => `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
