/** A piece of a model's thoughts or of its answer. */
export type TextDelta = { type: "reasoning-delta" | "text-delta"; text: string };

/** The marks around thoughts, as families of models write them where no server takes them out; in lower case. */
const THOUGHTS: readonly { open: string; close: string }[] = [
  ...["think", "thinking", "thought", "reasoning"].map((name) => ({
    open: `<${name}>`,
    close: `</${name}>`,
  })),
  // Magistral, Kimi, Command A.
  { open: "[think]", close: "[/think]" },
  { open: "◁think▷", close: "◁/think▷" },
  { open: "<|start_thinking|>", close: "<|end_thinking|>" },
  { open: "<|begin_of_thought|>", close: "<|end_of_thought|>" },
  // gpt-oss.
  { open: "<|channel|>analysis<|message|>", close: "<|end|>" },
];
/** Marks before and after an answer, which say nothing. */
const BEFORE_ANSWER = [
  "<|start|>assistant",
  "<|channel|>final<|message|>",
  "<|start_response|>",
  "<|begin_of_solution|>",
  // The beginning of a turn, as chat templates mark it.
  "<|im_start|>assistant",
  "<|begin_of_text|>",
  "<|start_header_id|>assistant<|end_header_id|>",
  "<|start_of_role|>assistant<|end_of_role|>",
  "<|assistant|>",
  "<start_of_turn>model",
  "<bos>",
  "<bos_token>",
  "<s>",
  "[/inst]",
  "<｜begin▁of▁sentence｜>",
  "<｜assistant｜>",
  "<|start_of_turn_token|>",
  "<|chatbot_token|>",
  "### assistant:",
  "### response:",
];
const AFTER_ANSWER = ["<|return|>", "<|end|>", "<|end_response|>", "<|end_of_solution|>"];
/** How models begin a thought that their chat template has opened: only its end is marked then. */
const THOUGHT_BEGINNINGS = [
  "okay,",
  "ok,",
  "alright,",
  "hmm,",
  "let's see",
  "let me think",
  "first, i need to",
  "the user is asking",
  "the user asks",
  "the user wants",
  "so the user",
  "so, the user",
];
/** A beginning that looks like a thought is held back until its end is marked, or until it is as long as this. */
const HELD_CHARACTERS_MAX = 4000;
/** No mark is as long as this. */
const MARK_CHARACTERS_MAX = 50;
const UNOPENED_END = /<\/think(?:ing)?>/i;
/** The end of an unopened thought that has left as an answer: on a line of its own, so that no words are taken for it. */
const END_LINE = /(^|\n)[ \t]*<\/think(?:ing)?>[ \t]*(?=\n|$)/i;

interface Splitting {
  held: string;
  stage: "beginning" | "thinking" | "guessing" | "answering";
  /** The mark that ends the current thought. */
  close: string;
  /** Whether to drop the next white space, which follows a mark. */
  trims: boolean;
  hasThought: boolean;
  /** Whether the answer itself speaks of such marks. */
  namesMarks: boolean;
  /** The end of the answer so far. */
  before: string;
  isEnding: boolean;
}

/**
 * Separates the thoughts that a model writes into its answer, as `<think>…</think>` before the first word. Inside an
 * answer the same tag is ordinary text.
 */
export function createThinkingSplitter() {
  const state: Splitting = {
    held: "",
    stage: "beginning",
    close: "",
    trims: false,
    hasThought: false,
    namesMarks: false,
    before: "",
    isEnding: false,
  };
  return {
    write(text: string): Iterable<TextDelta> {
      state.held += text;
      return drain(state);
    },
    end(): Iterable<TextDelta> {
      state.isEnding = true;
      return drain(state);
    },
  };
}

function* drain(state: Splitting): Iterable<TextDelta> {
  while (state.held !== "") {
    const { stage, held } = state;
    if (state.trims) state.held = held.trimStart();
    if (state.held === "") return;
    const text = STEPS[stage](state);
    if (text !== "") yield { type: stage === "answering" ? "text-delta" : "reasoning-delta", text };
    // More has to come first.
    if (stage === "answering" || (state.stage === stage && state.held.length === held.length)) return;
  }
}

/** Each takes what it can decide from the held text, and returns what of it is said or thought. */
const STEPS: Record<Splitting["stage"], (state: Splitting) => string> = {
  beginning(state) {
    const { held, hasThought } = state;
    const begun = held.trimStart().toLowerCase();
    const thought = THOUGHTS.find(({ open }) => begun.startsWith(open));
    const mark = thought?.open ?? BEFORE_ANSWER.find((each) => begun.startsWith(each));
    if (mark !== undefined) {
      state.held = held.slice(held.length - begun.length + mark.length);
      state.trims = true;
      state.stage = thought === undefined ? "beginning" : "thinking";
      state.close = thought?.close ?? "";
      return "";
    }
    const guesses = hasThought ? [] : THOUGHT_BEGINNINGS;
    const known = [...THOUGHTS.map(({ open }) => open), ...BEFORE_ANSWER, ...guesses];
    if (!state.isEnding && known.some((each) => each.startsWith(begun))) return "";
    state.stage = guesses.some((each) => begun.startsWith(each)) ? "guessing" : "answering";
    return "";
  },
  thinking(state) {
    const { held, close, isEnding } = state;
    state.trims = false;
    const end = held.toLowerCase().indexOf(close);
    if (end !== -1) return endThought(state, end, end + close.length);
    const thought = held.slice(0, held.length - (isEnding ? 0 : begunAtEnd(held, [close])));
    state.held = held.slice(thought.length);
    return thought;
  },
  guessing(state) {
    const { held } = state;
    const end = UNOPENED_END.exec(held);
    if (end !== null) return endThought(state, end.index, end.index + end[0].length);
    if (state.isEnding || held.length > HELD_CHARACTERS_MAX) state.stage = "answering";
    return "";
  },
  answering(state) {
    state.trims = false;
    const { held, isEnding, before } = state;
    state.namesMarks ||= /<think|`<\//i.test(before + held);
    const whole = withoutStrayMarks(state);
    const said = whole.slice(0, whole.length - (isEnding ? 0 : undecidedAtEnd(whole)));
    state.held = whole.slice(said.length);
    state.before = (before + said).slice(-MARK_CHARACTERS_MAX);
    return said;
  },
};

/** Ends a thought. Another one may follow. */
function endThought(state: Splitting, end: number, next: number): string {
  const thought = state.held.slice(0, end);
  state.held = state.held.slice(next);
  Object.assign(state, { stage: "beginning", trims: true, hasThought: true });
  return thought;
}

function withoutStrayMarks({ held, namesMarks, before, isEnding }: Splitting): string {
  const line = END_LINE.exec(held);
  const isStray = line !== null && !namesMarks && (line[1] === "\n" || /(?:^|\n)$/.test(before));
  // Without a line break behind it, the line may go on.
  const isWhole = line !== null && (isEnding || line.index + line[0].length < held.length);
  const text =
    isStray && isWhole ? held.slice(0, line.index) + held.slice(line.index + line[0].length) : held;
  const end = text.trimEnd();
  const mark = isEnding ? AFTER_ANSWER.find((each) => end.toLowerCase().endsWith(each)) : undefined;
  return mark === undefined ? text : end.slice(0, -mark.length);
}

/** How much of the end of a text may become a mark to leave out. */
function undecidedAtEnd(text: string): number {
  const line = /(?:^|\n)[ \t]*(?:<\/?[a-z]{0,8}>?[ \t]*)?$/i.exec(text)?.[0];
  const isMark = line !== undefined && "</thinking>".startsWith(line.trim().toLowerCase().replace(">", ""));
  const trailing = text.length - text.trimEnd().length;
  const whole = AFTER_ANSWER.find((each) => text.trimEnd().toLowerCase().endsWith(each));
  return Math.max(
    isMark ? line.length : 0,
    begunAtEnd(text, AFTER_ANSWER),
    whole === undefined ? 0 : whole.length + trailing,
  );
}

/** The length of a mark's beginning at the end of a text. */
function begunAtEnd(text: string, marks: readonly string[]): number {
  const lower = text.slice(-MARK_CHARACTERS_MAX).toLowerCase();
  const lengths = marks.flatMap((mark) =>
    Array.from({ length: mark.length - 1 }, (_, index) => index + 1).filter((length) =>
      lower.endsWith(mark.slice(0, length)),
    ),
  );
  return Math.max(0, ...lengths);
}
