interface Field {
  instruction: string;
  /** Whether what comes is what it shows, and no longer what it does. */
  isResult: boolean;
}

/** Fields: code that Word runs, and the text that came of it, which may be many paragraphs. */
export interface Fields {
  begin(): void;
  instruct(text: string): void;
  separate(): void;
  end(): void;
  /** Ends the instructions that a paragraph leaves open: they would hide all that follows. */
  endParagraph(): void;
  /** Ends tables of contents: a heading stands in none. */
  endContents(): void;
  /** Whether words are shown here. */
  isShown(): boolean;
  isInContents(): boolean;
  /** Where words lead that are a link. */
  href(): string | undefined;
}

const FIELDS_MAX = 100;
const CONTENTS = /^\s*(?:TOC|TOA)\b/i;
const INSTRUCTION_CHARACTERS_MAX = 5_000;

export function createFields(): Fields {
  let open: Field[] = [];
  return {
    begin() {
      if (open.length < FIELDS_MAX) open.push({ instruction: "", isResult: false });
    },
    instruct(text) {
      const field = open.at(-1);
      if (field && field.instruction.length < INSTRUCTION_CHARACTERS_MAX) field.instruction += text;
    },
    separate() {
      const field = open.at(-1);
      if (field) field.isResult = true;
    },
    end() {
      open.pop();
    },
    endParagraph() {
      while (open.at(-1)?.isResult === false) open.pop();
    },
    endContents() {
      open = open.filter(({ instruction }) => !CONTENTS.test(instruction));
    },
    isShown: () => open.every(({ isResult, instruction }) => isResult && !CONTENTS.test(instruction)),
    isInContents: () => open.some(({ instruction }) => CONTENTS.test(instruction)),
    href: () => hrefOf(open.findLast(({ instruction }) => /^\s*HYPERLINK\b/i.test(instruction))?.instruction),
  };
}

/** The target of `HYPERLINK "https://…" \l "place"`. */
export function hrefOf(instruction: string | undefined): string | undefined {
  if (instruction === undefined) return undefined;
  const place = /\\l\s{0,9}"([^"]{1,500})"/.exec(instruction)?.[1];
  const target = /^\s*HYPERLINK\s+(?:\\[a-km-z]\s+)*"([^"]{1,3000})"/i.exec(instruction)?.[1];
  if (target !== undefined && place !== undefined && !target.includes("#")) return `${target}#${place}`;
  return target ?? (place === undefined ? undefined : `#${place}`);
}
