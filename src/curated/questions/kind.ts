/** What a question wants to know of what it is about. */
export type QuestionKind =
  | "how"
  | "how-it"
  | "what"
  | "which"
  | "where"
  | "why"
  | "when"
  | "who"
  | "quantity"
  | "whether"
  | "duty"
  | "none";

const DUTY =
  /\b(?:should (?:i|we|one)|do (?:i|we|you) (?:really |still )?(?:need|have) to|must (?:i|we|one)|(?:is|are) (?:it|this|that|they)? ?(?:necessary|required|mandatory|needed|safe))\b/i;
const MAY =
  /^(?:can|could|may)\b.*?\bbe\b|^\W*(?:\S+ ){0,4}?(?:can|could|may) (?:i|we|you|one|somebody|someone)\b|\bis (?:it possible|there (?:a|any) way)\b|\bam i able\b/i;
const ASKING =
  /\b(?:why|how come|reason|when|who|whose|whom|where|what|which|how (?:many|much|long|often|big|large|fast|old|far|soon)|how)\b/i;
const WHETHER = /^\W*(?:is|are|was|were|does|do|did|has|have|had|will|would)\b/i;
/** "What is the way to …" asks how. */
const WAY =
  /^what (?:is|are) (?:the |a |an )?(?:\w+ )?(?:ways?|steps?|procedure|process|commands?|method)\b|^what (?:do|should|must|can|would|could) (?:i|we|you) (?:need to |have to )?(?:do|use|run|type)\b|^what to do\b/i;
/** "Explain what generations are" asks what they are. */
const WHAT_THEY_ARE = /^what (?:\S+ ){1,4}(?:is|are)\W*$/i;
/** Which of several it is. */
const WHICH =
  /^(?:which|what (?!(?:is|are|was|were|does|do|did|has|have|can|could|should|would|will|must|happens?|if|about)\b))/i;
/** Where somebody finds what they do something with. */
const DOING = /^where (?:do|can|could|should|would) (?:i|we|you)\b|^where to\b/i;

/** Reads from its first words what a question, in English, wants to know. */
export function questionKind(text: string): QuestionKind {
  const asking = ASKING.exec(text);
  if (asking === null) {
    if (DUTY.test(text)) return "duty";
    if (MAY.test(text)) return "how";
    return WHETHER.test(text) ? "whether" : "none";
  }
  const rest = text.slice(asking.index);
  const word = asking[0].toLowerCase();
  if (word === "why" || word === "how come" || word === "reason") return "why";
  if (word === "when") return "when";
  if (word.startsWith("who")) return "who";
  if (word.startsWith("how ")) return "quantity";
  if (word === "where") return DOING.test(rest) ? "how" : "where";
  if (word === "how") return /^how (?:does|did|will)\b/i.test(rest) ? "how-it" : "how";
  if (WAY.test(rest)) return "how";
  return WHICH.test(rest) && !WHAT_THEY_ARE.test(rest) ? "which" : "what";
}

/** Words alone ask how something is done, or what it is. */
const OPEN: ReadonlySet<QuestionKind> = new Set(["how", "what"]);

/** Whether two questions about the same want to know the same of it. */
export function isSameKind(a: QuestionKind, b: QuestionKind): boolean {
  if (a === b) return true;
  return (a === "none" && OPEN.has(b)) || (b === "none" && OPEN.has(a));
}
