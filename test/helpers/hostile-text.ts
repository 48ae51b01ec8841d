import { randomFrom } from "./hostile-answers.ts";
import WRITTEN from "./hostile-marks.json" with { type: "json" };

/** Marks of every notation that is read, as they open, close or stand alone, and every space that there is. */
const MARKS: readonly string[] = WRITTEN;

/** A text that repeats one mark, a few of them, or one at the front and another behind. */
export interface HostileText {
  name: string;
  /** A text of about so many characters. */
  made(characters: number): string;
}

const repeated = (unit: string, characters: number) =>
  unit.repeat(Math.max(1, Math.ceil(characters / unit.length)));

/** One mark again and again. */
export const run = (unit: string): HostileText => ({
  name: `${JSON.stringify(unit)} again and again`,
  made: (characters) => repeated(unit, characters),
});

/** What opens again and again, and then what closes. */
export const opened = (open: string, close: string): HostileText => ({
  name: `${JSON.stringify(open)} again and again, then ${JSON.stringify(close)}`,
  made: (characters) => repeated(open, characters / 2) + repeated(close, characters / 2),
});

const behind = (start: string, unit: string): HostileText => ({
  name: `${JSON.stringify(unit)} again and again behind ${JSON.stringify(start)}`,
  made: (characters) => start + repeated(unit, characters),
});

/** A mark, and a line of spaces between words behind it: patterns that end with spaces look at them from each. */
export const spaced = (mark: string): HostileText => ({
  name: `${JSON.stringify(mark)}, then spaces between two words`,
  made: (characters) => `${mark}a${" ".repeat(characters)}b\n${mark}\n`,
});

/** Each mark by itself, in lines, and before and behind a word, and before spaces. */
export const SINGLE: readonly HostileText[] = MARKS.flatMap((mark) => [
  run(mark),
  run(`${mark}\n`),
  run(`${mark}a `),
  run(`a${mark}`),
  spaced(mark),
]);

/** The marks of one name, one of `shares` shares. They stay its own, whichever names come and go beside it. */
export const shareOf = (name: string, shares: number): readonly HostileText[] =>
  SINGLE.filter((_, index) => index % shares === seedOf(name) % shares);

/** A number that is the same for the same name. */
export function seedOf(name: string): number {
  let seed = 7;
  for (const character of name) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return seed;
}

/** Of several marks, as the seed says: the same each time. */
export function mixed(seed: number, count: number): HostileText[] {
  const random = randomFrom(seed);
  const pick = () => MARKS[random(MARKS.length)] ?? "a";
  const some = (most: number) => Array.from({ length: 1 + random(most) }, pick).join("");
  return Array.from({ length: count }, () => {
    const form = random(4);
    if (form === 0) return opened(some(2), some(2));
    if (form === 1) return behind(some(2), some(3));
    return run(some(4));
  });
}
