/** The elements of the prompt. A text that contains one of them could pass for another part of the prompt. */
const ELEMENTS = [
  "passages",
  "passage",
  "attached",
  "current-page",
  "question",
  "conversation",
  "headings",
  "pages",
];

/**
 * The control tokens of chat templates, by families of models that Ollama runs. Ollama tokenizes them
 * wherever they stand: in a page they would begin another speaker's message.
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
  // Command R's text tokens, and the marks of models that think or call tools.
  String.raw`<(?=[a-z]{2,20}_token>|\/?(?:think|tool_call|tool_response|tools)>)`,
];

/** "<" as text, in wide forms, or as an HTML entity. */
const OPENING = "(?:[<＜﹤]|&(?:lt|#0*60|#x0*3c);?)";
/** Invisible characters, which a model may ignore. */
const UNSEEN = String.raw`[\s\p{Cf}]*`;
const NAME = `(?:${ELEMENTS.map(disguised).join("|")})(?![\\p{L}\\p{N}_-])`;
/**
 * Text that closes an element, however it continues; or that opens one, which a comparison in code does not
 * look like.
 */
const ELEMENT = new RegExp(
  `${OPENING}(?=${UNSEEN}[/／\\\\]${UNSEEN}${NAME}|${UNSEEN}${NAME}(?:${UNSEEN}(?:[>＞﹥/]|&(?:gt|#)|$)|\\s+[\\w-]+\\s*=))`,
  "giu",
);
const CONTROL = new RegExp(CONTROL_TOKENS.join("|"), "giu");
const HARMLESS: Record<string, string> = { "<": "‹", "[": "［" };

/**
 * Makes foreign text safe for the prompt: it closes no element and begins no message. Only the first
 * character of what would is changed.
 */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replace(ELEMENT, "‹")
    .replace(CONTROL, (mark) => HARMLESS[mark] ?? "");
}

/** A passage whose text is safe. Done before cutting and counting, because escaping may add tokens. */
export const harmlessPassage = <Passage extends { text: string }>(passage: Passage): Passage => ({
  ...passage,
  text: harmless(passage.text),
});

/** The same for text within a line, such as a title or a path. */
export function harmlessLine(text: string, charactersMax: number): string {
  return harmless(
    text
      .slice(0, charactersMax * 2)
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, charactersMax),
  );
}

/**
 * A pattern for a name in any letters that look like it: full width, or with invisible characters between.
 */
function disguised(name: string): string {
  const letters = [...name].map((letter) => {
    const wide = String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
    return `[${letter === "-" ? "\\-" : letter}${wide}${wide.toUpperCase()}]`;
  });
  return letters.join("\\p{Cf}*");
}
