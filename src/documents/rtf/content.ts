import { CONTROLS } from "./controls.ts";
import { endFlow, newFlow } from "./flow.ts";
import { addWords, capture, endGroup, newReading, type Reading, type RtfContent } from "./reading.ts";
import { isSkipped } from "./skipped.ts";
import { type RtfVisitor, walkRtf } from "./walk.ts";
import { writeBlocks } from "./write.ts";

export type { RtfContent };

/** Reads the text of a file of RTF, given with a character for each byte. */
export function readContent(source: string, charactersMax: number): RtfContent {
  const flow = newFlow();
  const reading = newReading(flow, charactersMax);
  const closed = walkRtf(source, visitorOf(reading));
  // Groups that never end hold words all the same.
  while (reading.outer.length > 0) endGroup(reading);
  const { content, notes, styles } = reading;
  const text = writeBlocks(endFlow(flow), styles);
  const below = notes.map((note, index) => `[^${index + 1}]: ${note}`);
  const date = dateOf(reading.date);
  return {
    ...content,
    info: { ...content.info, ...(date === undefined ? {} : { date }) },
    markdown: [text, ...below].filter((part) => part !== "").join("\n\n"),
    isCut: !closed,
  };
}

function visitorOf(reading: Reading): RtfVisitor {
  return {
    open() {
      reading.outer.push(reading.frame);
      reading.frame = { ...reading.frame, atEnd: undefined };
      if (reading.frame.place === "styles") openStyle(reading);
    },
    close: () => endGroup(reading),
    text: (words) => addWords(reading, words),
    isDone: () => reading.content.isLong,
    word(name, value, isOptional) {
      const control = CONTROLS.get(name);
      if (control !== undefined) return control(reading, value) === "skip" ? "skip" : undefined;
      if (name === "annotation") reading.content.comments += 1;
      if (name === "pict") reading.content.pictures += 1;
      return isSkipped(name, isOptional) ? "skip" : undefined;
    },
  };
}

function openStyle(reading: Reading): void {
  reading.style = { number: 0, outlineLevel: undefined };
  capture(reading, (words) => {
    const { number, outlineLevel } = reading.style;
    const name = words.replace(/;[\s\S]*$/, "").trim();
    if (reading.styles.size < 20_000 && !reading.styles.has(number))
      reading.styles.set(number, { name, outlineLevel });
  });
  // Groups in the description of a style describe it further.
  reading.frame.place = "text";
}

function dateOf({ year, month, day }: Reading["date"]): string | undefined {
  if (year === undefined || year < 1900 || year > 2200) return undefined;
  const two = (number: number | undefined) => String(Math.min(Math.max(1, number ?? 1), 31)).padStart(2, "0");
  return `${year}-${two(Math.min(month ?? 1, 12))}-${two(day)}`;
}
