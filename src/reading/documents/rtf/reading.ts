import { addRun, type Flow, type ParagraphStyle, PLAIN } from "./flow.ts";
import type { RtfStyle } from "./write.ts";

/** What a file of RTF says. */
export interface RtfContent {
  markdown: string;
  info: RtfInfo;
  /** What is in it and not read, by number. */
  comments: number;
  objects: number;
  pictures: number;
  isLong: boolean;
  /** Its last group never ends. */
  isCut: boolean;
}

interface RtfInfo {
  title?: string;
  author?: string;
  description?: string;
  date?: string;
}

/** A field, such as a link, and what it says that it does. */
export interface Field {
  instruction: string;
}

/** What is said in a group, and what for. */
export interface Frame {
  /** Where words go; undefined where they go into the text. */
  capture: string[] | undefined;
  flow: Flow;
  paragraph: ParagraphStyle;
  isHidden: boolean;
  isDeleted: boolean;
  href: string | undefined;
  field: Field | undefined;
  place: "text" | "info" | "styles" | "date";
  /** What follows when the group ends. */
  atEnd: ((reading: Reading) => void) | undefined;
}

/** The state of reading a file. */
export interface Reading {
  frame: Frame;
  outer: Frame[];
  styles: Map<number, RtfStyle>;
  /** The style that the table of styles describes. */
  style: { number: number; outlineLevel: number | undefined };
  notes: string[];
  content: RtfContent;
  date: { year?: number; month?: number; day?: number };
  characters: number;
  charactersMax: number;
}

export function newReading(flow: Flow, charactersMax: number): Reading {
  return {
    frame: {
      capture: undefined,
      flow,
      paragraph: PLAIN,
      isHidden: false,
      isDeleted: false,
      href: undefined,
      field: undefined,
      place: "text",
      atEnd: undefined,
    },
    outer: [],
    styles: new Map(),
    style: { number: 0, outlineLevel: undefined },
    notes: [],
    content: { markdown: "", info: {}, comments: 0, objects: 0, pictures: 0, isLong: false, isCut: false },
    date: {},
    characters: 0,
    charactersMax,
  };
}

export function endGroup(reading: Reading): void {
  const { atEnd } = reading.frame;
  atEnd?.(reading);
  reading.frame = reading.outer.pop() ?? reading.frame;
}

export function addWords(reading: Reading, words: string): void {
  const { frame } = reading;
  if (words === "" || frame.isHidden || frame.isDeleted) return;
  if (frame.capture !== undefined) {
    frame.capture.push(words);
    return;
  }
  if (frame.place !== "text") return;
  reading.characters += words.length;
  if (reading.characters > reading.charactersMax) reading.content.isLong = true;
  else
    addRun(frame.flow, { words, ...(frame.href === undefined ? {} : { href: frame.href }) }, frame.paragraph);
}

export const CAPTURED_MAX = 10_000;

/** Takes the words of a group for something else than the text. */
export function capture(reading: Reading, use: (words: string, reading: Reading) => void): void {
  const parts: string[] = [];
  reading.frame.capture = parts;
  reading.frame.atEnd = (ended) => use(parts.join("").slice(0, CAPTURED_MAX), ended);
}
