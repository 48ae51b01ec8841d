/** The elements that the prompt is made of. A text that holds one of them could pass for another part of the prompt. */
const ELEMENTS = ["passages", "passage", "attached", "current-page", "question"];

/**
 * What chat templates mark turns with, by the families of models that Ollama runs. Ollama reads a whole prompt with
 * these as single tokens, wherever they stand: in a page they would begin a turn of another speaker.
 */
const CONTROL_TOKENS = [
  // Llama 3, Qwen, Phi, Granite, Command R; DeepSeek's bars are full width.
  String.raw`<(?=[|｜][^<>|｜\s]{1,60}[|｜]>)`,
  // Gemma.
  String.raw`<(?=(?:start|end)_of_(?:turn|image)>|(?:bos|eos|pad|unk|mask)>|unused\d{1,4}>)`,
  // Llama 2, Mistral.
  String.raw`<(?=\/?s>|<\/?sys>>)`,
  String.raw`\[(?=\/?(?:inst|system_prompt|available_tools|tool_(?:calls|results|content)|img|img_(?:break|end)|think|args|call_id)\])`,
  // EXAONE.
  String.raw`\[(?=\|[a-z_]{2,40}\|\])`,
  // Command R's text tokens, and what models that think or call tools mark those with.
  String.raw`<(?=[a-z]{2,20}_token>|\/?(?:think|tool_call|tool_response|tools)>)`,
];

/** "<" as text, as its wide forms, or as HTML writes it. */
const OPENING = "(?:[<＜﹤]|&(?:lt|#0*60|#x0*3c);?)";
/** Characters that are not seen, which a model may read over. */
const UNSEEN = String.raw`[\s\p{Cf}]*`;
const NAME = `(?:${ELEMENTS.map(disguised).join("|")})(?![\\p{L}\\p{N}_-])`;
/** Text that ends an element, however it goes on; or that begins one, which a comparison in code does not look like. */
const ELEMENT = new RegExp(
  `${OPENING}(?=${UNSEEN}[/／\\\\]${UNSEEN}${NAME}|${UNSEEN}${NAME}(?:${UNSEEN}(?:[>＞﹥/]|&(?:gt|#)|$)|\\s+[\\w-]+\\s*=))`,
  "giu",
);
const CONTROL = new RegExp(CONTROL_TOKENS.join("|"), "giu");
const HARMLESS: Record<string, string> = { "<": "‹", "[": "［" };

/**
 * Text of others, so that it cannot pass for anything else: it closes no element of the prompt and begins no turn.
 * All that is changed in it is the first character of what would.
 */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replace(ELEMENT, "‹")
    .replace(CONTROL, (mark) => HARMLESS[mark] ?? "");
}

/** The same for text that stands within a line, such as a title or a path. */
export function harmlessLine(text: string, charactersMax: number): string {
  return harmless(
    text
      .slice(0, charactersMax * 2)
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, charactersMax),
  );
}

/** A pattern for a name in any letters that look like it: full width, or with unseen characters between. */
function disguised(name: string): string {
  const letters = [...name].map((letter) => {
    const wide = String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
    return `[${letter === "-" ? "\\-" : letter}${wide}${wide.toUpperCase()}]`;
  });
  return letters.join("\\p{Cf}*");
}
