const SIDE = "(.{2,60}?)";
const ENDING = String.raw`\s*(?:$|[?？.!,;:]|\b(?:in|for|when|with|bei|für|pour|para|en|dans)\b)`;
/** Questions that compare two things, in the languages that most docs are asked in. */
const COMPARISONS = [
  String.raw`\b(?:differences?|distinction|choose|choice|compar(?:e|ing|ison))\s+(?:of\s+|between\s+)?${SIDE}\s+(?:and|with|to|or|against)\s+${SIDE}${ENDING}`,
  String.raw`\b(?:how|why)\s+(?:do|does|are|is)\s+${SIDE}\s+and\s+${SIDE}\s+(?:differ|different|compare|relate|related)\b`,
  String.raw`\bhow\s+(?:does|is|do|are)\s+${SIDE}\s+(?:differ(?:ent)?|compare)\s+(?:from|to|with)\s+${SIDE}${ENDING}`,
  String.raw`(?:^|\s)${SIDE}\s+(?:vs\.?|versus)\s+${SIDE}${ENDING}`,
  String.raw`\bUnterschied(?:e)?\s+zwischen\s+${SIDE}\s+und\s+${SIDE}${ENDING}`,
  String.raw`\bunterscheide[nt]\s+sich\s+${SIDE}\s+(?:und|von)\s+${SIDE}${ENDING}`,
  String.raw`\bdifférences?\s+entre\s+${SIDE}\s+et\s+${SIDE}${ENDING}`,
  String.raw`\bdiferencias?\s+entre\s+${SIDE}\s+y\s+${SIDE}${ENDING}`,
].map((pattern) => new RegExp(pattern, "iu"));
/** What stands before a name and is no part of it. */
const BEFORE = /^(?:the|an?|using|both|between|what is|der|die|das|dem|den|le|la|les|el|los|las)\s+/iu;
const WORD = /[\p{L}\p{N}]/u;
const QUESTION_CHARACTERS_MAX = 300;

/** The two things that a question compares; undefined where it compares none. */
export function sidesOf(question: string): [string, string] | undefined {
  const text = question.slice(0, QUESTION_CHARACTERS_MAX).replace(/\s+/g, " ").trim();
  for (const comparison of COMPARISONS) {
    const found = comparison.exec(text);
    const [one, other] = [found?.[1] ?? "", found?.[2] ?? ""].map((side) => side.trim().replace(BEFORE, ""));
    if (one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase()) continue;
    if (WORD.test(one) && WORD.test(other)) return [one, other];
  }
  return undefined;
}
