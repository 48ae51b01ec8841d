import {
  addRun,
  type Block,
  endCell,
  endFlow,
  endNestedCell,
  endNestedRow,
  endParagraph,
  endRow,
  type Flow,
  newFlow,
  type ParagraphStyle,
  PLAIN,
} from "./flow.ts";
import { addWords, CAPTURED_MAX, capture, type Field, type Frame, type Reading } from "./reading.ts";
import { writeRuns } from "./write.ts";

/** Does what a control word says; "skip" where the rest of its group says nothing. */
type Control = (reading: Reading, value: number | undefined) => unknown;

/** Reads a group as a text of its own. */
function openFlow(reading: Reading, use: (blocks: Block[], outer: Flow) => void): void {
  const outer = reading.frame.flow;
  const flow = newFlow();
  reading.frame = { ...reading.frame, flow, paragraph: PLAIN, href: undefined };
  reading.frame.atEnd = () => use(endFlow(flow), outer);
}

/** A word that changes what holds for the rest of its group. */
const setting =
  (change: (value: number | undefined) => Partial<Frame>): Control =>
  ({ frame }, value) => {
    Object.assign(frame, change(value));
  };

const setParagraph = (reading: Reading, change: Partial<ParagraphStyle>) => {
  reading.frame.paragraph = { ...reading.frame.paragraph, ...change };
};

const infoText =
  (key: "title" | "author" | "description"): Control =>
  (reading) => {
    if (reading.frame.place !== "info") return;
    capture(reading, (words, { content }) => {
      if (/[^\s?]/.test(words)) content.info[key] ??= words.trim();
    });
  };

const datePart =
  (key: "year" | "month" | "day"): Control =>
  (reading, value) => {
    if (reading.frame.place === "date" && value !== undefined) reading.date[key] ??= value;
  };

const openMarker: Control = (reading) => {
  const { flow } = reading.frame;
  capture(reading, (words) => {
    flow.marker = words.trim() || "-";
  });
};

const openFootnote: Control = (reading) => {
  const { paragraph } = reading.frame;
  openFlow(reading, (blocks, outer) => {
    const words = blocks
      .flatMap((block) => (block.kind === "paragraph" ? [block.runs] : block.rows.flat()))
      .map((runs) => writeRuns(runs).replace(/\\?\n/g, " "))
      .join(" ");
    if (words === "") return;
    addRun(outer, { words: `[^${reading.notes.push(words)}]`, isMarkdown: true }, paragraph);
  });
};

const openBox: Control = (reading) => openFlow(reading, (blocks, outer) => void outer.beside.push(...blocks));

const openInstruction: Control = ({ frame }) => {
  const field: Field = frame.field ?? { instruction: "" };
  const parts: string[] = [];
  frame.capture = parts;
  frame.atEnd = () => {
    field.instruction = (field.instruction + parts.join("")).slice(0, CAPTURED_MAX);
  };
};

const openResult: Control = ({ frame }) => {
  const instruction = frame.field?.instruction ?? "";
  const href = /^\s{0,20}HYPERLINK\s{1,20}(?:"([^"]{1,2000})"|([^\s"\\]{1,2000}))/i.exec(instruction);
  frame.href = href?.[1] ?? href?.[2] ?? frame.href;
};

const endOf =
  (end: (flow: Flow, style: ParagraphStyle) => void): Control =>
  ({ frame }) => {
    // The end of a paragraph in what is hidden or deleted ends nothing.
    if (frame.capture === undefined && frame.place === "text" && !frame.isDeleted)
      end(frame.flow, frame.paragraph);
  };

const breakLine: Control = (reading) => addWords(reading, reading.frame.capture === undefined ? "\n" : " ");

/** What the control words do that are not skipped, and say more than how words look. */
export const CONTROLS = new Map<string, Control>([
  ["par", endOf(endParagraph)],
  ["sect", endOf(endParagraph)],
  ["page", breakLine],
  ["column", breakLine],
  ["line", breakLine],
  ["lbr", breakLine],
  ["softline", (reading) => addWords(reading, " ")],
  ["cell", endOf(endCell)],
  ["row", endOf(endRow)],
  ["nestcell", endOf(endNestedCell)],
  ["nestrow", endOf(endNestedRow)],
  ["nonesttables", () => "skip"],
  ["pard", setting(() => ({ paragraph: PLAIN }))],
  ["plain", setting(() => ({ isHidden: false }))],
  ["v", setting((value) => ({ isHidden: value !== 0 }))],
  ["deleted", setting((value) => ({ isDeleted: value !== 0 }))],
  ["intbl", (reading) => setParagraph(reading, { isInTable: true })],
  ["li", (reading, value) => setParagraph(reading, { indent: value ?? 0 })],
  ["ilvl", (reading, value) => setParagraph(reading, { listLevel: Math.min(Math.max(0, value ?? 0), 9) })],
  [
    "outlinelevel",
    (reading, value) => {
      reading.style.outlineLevel = value;
      setParagraph(reading, { outlineLevel: value });
    },
  ],
  [
    "s",
    (reading, value) => {
      reading.style.number = value ?? 0;
      setParagraph(reading, { style: value, outlineLevel: undefined });
    },
  ],
  // Styles of characters, tables and sections are numbered with those of paragraphs.
  ...["cs", "ts", "ds"].map((name): [string, Control] => [
    name,
    ({ style, frame }, value) => {
      if (frame.capture !== undefined) style.number = value ?? 0;
    },
  ]),
  ["stylesheet", setting(() => ({ place: "styles" }))],
  ["info", setting(() => ({ place: "info" }))],
  ["title", infoText("title")],
  ["author", infoText("author")],
  ["subject", infoText("description")],
  ["creatim", setting(() => ({ place: "date" }))],
  ["yr", datePart("year")],
  ["mo", datePart("month")],
  ["dy", datePart("day")],
  ["listtext", openMarker],
  ["pntext", openMarker],
  ["footnote", openFootnote],
  ["shptxt", openBox],
  ["dptxbxtext", openBox],
  [
    "object",
    ({ content }) => {
      content.objects += 1;
    },
  ],
  ["field", setting(() => ({ field: { instruction: "" } }))],
  ["fldinst", openInstruction],
  ["fldrslt", openResult],
]);
