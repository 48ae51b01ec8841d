/** The tokens that end a turn in chat templates, and those that begin another; as text where a server does not stop at them. */
const ENDS = [
  // Qwen and others; Llama 3; Granite and many; gpt-oss, Phi.
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end_of_text|>",
  "<|endoftext|>",
  "<|end_of_turn|>",
  "<|end|>",
  "<|return|>",
  // Gemma; Llama 2, Mistral; Command R; DeepSeek.
  "<end_of_turn>",
  "<eos>",
  "</s>",
  "<|end_of_turn_token|>",
  "<eos_token>",
  "<｜end▁of▁sentence｜>",
];
const BEGINNINGS = [
  "<|im_start|>",
  "<|start_header_id|>",
  "<|begin_of_text|>",
  "<|user|>",
  "<|assistant|>",
  "<|system|>",
  "<|start_of_role|>",
  "<start_of_turn>",
  "<bos>",
  // By itself, `<s>` may strike out words.
  "<s>[inst]",
  "<s> [inst]",
  "[inst]",
  "[/inst]",
  "<<sys>>",
  "<|start_of_turn_token|>",
  "<|user_token|>",
  "<|chatbot_token|>",
  "<|system_token|>",
  "<bos_token>",
  "<｜user｜>",
  "<｜assistant｜>",
  "<｜begin▁of▁sentence｜>",
];
const TOKENS = [...ENDS, ...BEGINNINGS];
const LONGEST = Math.max(...TOKENS.map(({ length }) => length));

const anyOf = (tokens: readonly string[]) =>
  `(?:${tokens.map((token) => token.replace(/[|[\]/]/g, "\\$&")).join("|")})`;
const TOKEN = new RegExp(anyOf(TOKENS), "i");
const ENDS_FIRST = new RegExp(`^(?:\\s|${anyOf(ENDS)})+`, "i");
const BEGINNING_FIRST = new RegExp(`^${anyOf(BEGINNINGS)}`, "i");

/** The first token in a text. */
export function tokenIn(text: string): { at: number; token: string } | undefined {
  const found = TOKEN.exec(text);
  return found === null ? undefined : { at: found.index, token: found[0] };
}

/** How much of the end of a text may become a token. */
export function tokenBegunAtEnd(text: string): number {
  const lower = text.slice(1 - LONGEST).toLowerCase();
  for (let at = 0; at < lower.length; at++)
    if (TOKENS.some((token) => token.startsWith(lower.slice(at)))) return lower.length - at;
  return 0;
}

/** What comes behind an end: another turn, nothing, text of its own; "undecided" while that is not known. */
export function afterEnd(text: string): "turn" | "nothing" | "text" | "undecided" {
  const rest = text.slice(ENDS_FIRST.exec(text)?.[0].length ?? 0);
  if (rest === "") return "nothing";
  if (BEGINNING_FIRST.test(rest)) return "turn";
  return TOKENS.some((token) => token.startsWith(rest.toLowerCase())) ? "undecided" : "text";
}
