import type { PassageToEnrich } from "./enrichment.ts";

/**
 * In which round a passage's turn comes: first what helps with a problem or leads through a task, for that is asked about in
 * other words than the docs have; last what is looked up by its own words, such as tables and lists of changes.
 */
type Round = 0 | 1 | 2;
export const ROUNDS = 3;

/** What headings of such passages have, in the languages that most docs are in. A question is one too. */
const HELPS = new RegExp(
  [
    /[?？]\s*$/,
    /\b(?:how(?:[ -]?to)?|why|troubleshoot\w*|debug\w*|errors?|fail\w*|problems?|issues?|fix\w*|faq|cannot|can['’]t)\b/,
    /\b(?:install\w*|set ?up|get(?:ting)? started|tutorial|walkthrough|quick ?start|step by step|recipes?|recover\w*|migrat\w*)\b/,
    // A heading that begins with what is done: "Rotating a key", "Set up a domain".
    /^(?:[a-z]{2,}ing|set(?: ?up)?|add|create|install|configure|change|remove|enable|disable|connect|deploy|upgrade|use)\b/,
    /\b(?:anleitung|fehler\w*|einrichte\w*|erste schritte|erreurs?|dépannage|comment|problemas?|cómo|errores|erros?|como)\b/,
    /如何|怎么|怎样|故障|错误|教程|安装|方法|エラー|トラブル|手順|インストール/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

const LISTS_CHANGES =
  /\b(?:change ?logs?|change history|changes in|release notes|what['’]?s new|versionshinweise|änderungen)\b|更新日志|変更履歴/iu;
const LOOKED_UP =
  /\b(?:reference|glossary|api|index of|list of|referenz|référence|referencia)\b|参考|リファレンス/iu;
const ENDS_SENTENCE = /[.!?。！？:：]["”’)]?\s*$/u;
const LINES_MIN = 6;
const SENTENCES_SHARE = 1 / 3;

export function roundOf({ title, headings, text }: PassageToEnrich): Round {
  const above = [title, ...headings];
  if (above.some((heading) => LISTS_CHANGES.test(heading))) return 2;
  if (above.some((heading) => HELPS.test(heading.trim()))) return 0;
  return isTable(text) || above.some((heading) => LOOKED_UP.test(heading)) ? 2 : 1;
}

/** Many lines, of which few are sentences. */
function isTable(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const sentences = lines.filter((line) => ENDS_SENTENCE.test(line)).length;
  return lines.length >= LINES_MIN && sentences < lines.length * SENTENCES_SHARE;
}
