import { asksWhatChanged } from "@docent/kernel/text/changes/changes";
import { sidesOf } from "../sides.ts";

/** What a question wants to hear. It may want several things, or none that can be told from its words. */
export interface QuestionKind {
  /** What to do: steps, a command. */
  steps: boolean;
  /** What something is. */
  definition: boolean;
  /** A number, a default, a limit, a date. */
  value: boolean;
  /** All of several things: types, options, reasons. */
  list: boolean;
  /** What changed, or since when. */
  history: boolean;
  /** The words of the thing that is to be defined. */
  subject: string | undefined;
  yesNo: boolean;
  /** Whether something may be done, or should. */
  permission: boolean;
  reason: boolean;
  /** What to do about something that goes wrong. */
  trouble: boolean;
  /** A file or an example in full. */
  whole: boolean;
  /** Whether something is to be turned on or off. */
  turn: "on" | "off" | undefined;
  /** Whether something is to be added, or to be taken away. */
  change: "add" | "remove" | undefined;
  /** The two things that are compared. */
  sides: readonly [string, string] | undefined;
}

// Each pattern has the words of all languages that Docent's own sentences are in: no language's words mean another
// thing in one of the others.
const STEPS =
  /\bhow (?:do|can|to|would|should|could|does one|might)\b|^how (?!many|much|long|often|large|big|fast|old|far|high)|\b(?:steps|way) to\b|^(?:can|could) (?:i|we)\b|\bwie (?:kann|können|mache?|lässt|lege?|richte|stelle?|installiere|erstelle|konfiguriere|muss|man)\b|^comment\b|\bcómo\b|如何|怎么|怎樣|怎样|どうやって|どのように|するには|方法/iu;
const STARTS_WITH_ACTION =
  /^(?:activate|add|allow|block|build|change|configure|connect|convert|copy|create|deactivate|delete|deploy|disable|enable|export|force|hide|import|install|move|put|redirect|reload|remove|rename|reset|restart|restore|rotate|run|send|serve|set|show|start|stop|strip|switch|turn|update|upgrade|use|uninstall|installiere|erstelle|konfigurier\w*)\b/i;
const DEFINITION =
  /^(?:so |and )?what(?:['’]s| is| are| does)(?! (?:the )?(?:default|limit|maximum|minimum|difference|best|easiest|max|min|size|number|way)\b)|\bmean(?:ing)?\??$|^(?:was (?:ist|sind|bedeutet)|qu['’]est[ -]ce (?:que|qu)|qué (?:es|son))\b|什么是|是什么|とは/iu;
const VALUE =
  /\bhow (?:many|much|long|often|large|big|fast|old|far|high)\b|\b(?:default|limits?|maximum|minimum|max|min|quota|port|timeout|size|version|number of|percent\w*)\b|^(?:when|what year)\b|\bwie ?(?:viele?|lange|oft|groß|hoch|alt)\b|\bstandardwert\b|\bcombien\b|\bpar défaut\b|\bcu[aá]nt[oa]s?\b|\bpor defecto\b|多少|几个|默认|いくつ|何個|デフォルト|既定/iu;
const LIST =
  /\b(?:what|which) (?:\w+ )?(?:are|types?|kinds?|options|modes|states|values|formats|languages|methods|ways|factors|benefits|features|requirements|prerequisites|parameters|limitations)\b|\blist (?:of|all)\b|\b(?:types|kinds) of\b|\bwelche\b|\bquel(?:le)?s sont\b|\bcuáles son\b|哪些|どの種類/iu;
const YES_NO =
  /^(?:is|are|was|does|do|did|can|could|may|must|should|will|has|have|am)\b|^(?:ist|sind|kann|können|gibt|hat|muss|est-ce|peut-on|puis-je|se puede|puede|es posible)\b|吗|嗎|是否|ますか|ですか/iu;
const PERMISSION =
  /^(?:may|should|am i allowed)\b|^(?:(?:is|are|would|isn['’]t) )?(?:(?:it|this|that) )?(?:ok|okay|safe|fine|allowed|permitted|recommended|possible) (?:to|if|for)\b|^(?:can|could) (?:i|we|one) (?:just|simply|safely|still)\b|^(?:can|could)(?:n['’]?t|['’]t| not) (?:i|we|one)\b|^(?:darf|dürfen|soll(?:te)?|kann (?:ich|man) (?:einfach|nicht))\b|^(?:puis-je|peut-on|(?:est-il|est-ce) (?:permis|possible|autorisé|recommandé))\b|^¿?(?:puedo|se puede|es (?:seguro|posible|recomendable))(?!\p{L})|可不可以|可否|能否|允许吗|てもいい|ても大丈夫/iu;
const REASON =
  /\bwhy\b|\breason\b|\bwarum\b|\bwieso\b|\bpourquoi\b|\bpor qué\b|为什么|為什麼|なぜ|どうして/iu;
const TROUBLE =
  /\b(?:error|errors|fail\w*|crash\w*|hangs?|hanging|stuck|broken|wrong|problem\w*|issues?|exceptions?|denied|refused|timed? out|unable|cannot|can['’]t|won['’]t|doesn['’]t|isn['’]t|not (?:working|found|work)|fehler|scheitert|erreur|échoue|falla)\b|错误|失败|エラー|失敗/iu;
const WHOLE =
  /\b(?:full|whole|entire|complete|minimal|sample)\b(?: [\w./'-]+){0,4} (?:files?|config\w*|examples?|units?|scripts?|code|compose\w*|manifests?|templates?|yaml|json|listing|snippet)\b|\b(?:ganze|komplette|vollständige)[ns]?\b(?: [\w.-]+){0,3} [\w.-]*(?:datei|konfiguration|beispiel|skript)|\b(?:fichier|exemple|script|archivo|ejemplo) (?:complet|entier|completo|entero)\b|完整的?(?:文件|配置|示例|代码)|(?:全体|完全な)(?:の)?(?:ファイル|設定|例)/iu;
const ON =
  /\b(?:enabl\w+|activat\w+|(?:turn|switch)\w*(?! to\b)(?: \S+){0,5} on|einschalten|aktivier\w+|activer|activez|activar|habilitar)\b|[:=]\s?(?:on|true)\b|启用|开启|有効/iu;
const OFF =
  /\b(?:disabl\w+|deactivat\w+|(?:turn|switch)\w*(?! to\b)(?: \S+){0,5} off|ausschalten|abschalten|deaktivier\w+|désactiv\w+|desactiv\w+|deshabilit\w+)\b|[:=]\s?(?:off|false)\b|禁用|关闭|停用|無効/iu;
const ADDING =
  /\b(?:add(?:s|ing)?|append(?:s|ing)?|prepend(?:s|ing)?|insert(?:s|ing)?|hinzufügen|ajouter|añadir|agregar)\b|添加|追加/iu;
const REMOVING =
  /\b(?:remov(?:es?|ing)|delet(?:es?|ing)|strip(?:s|ping)?|drop(?:s|ping)?|without|get rid of|entfern\w+|löschen|ohne|supprimer|enlever|sans|eliminar|quitar|sin)\b|删除|移除|削除|なしで/iu;
const ASKING =
  /^(?:who|what|which|when|where|how|wer|was|wo|wann|qui|que|quoi|où|quand|comment|qué|quién|dónde|cuándo)\b/iu;
const QUESTION_CHARACTERS_MAX = 2000;

/** What the words of a question say that it wants. */
export function kindOfQuestion(asked: string): QuestionKind {
  const question = asked.slice(0, QUESTION_CHARACTERS_MAX).trim();
  const value = VALUE.test(question);
  const turn = turnOf(question);
  const permission = PERMISSION.test(question);
  return {
    value,
    steps:
      (STEPS.test(question) && !permission && !/^(?:can|could)\b.*\bor\b/i.test(question)) ||
      STARTS_WITH_ACTION.test(question),
    list: LIST.test(question),
    history: asksWhatChanged(question),
    definition: (DEFINITION.test(question) || isTermAlone(question)) && !value,
    subject: subjectOf(question),
    yesNo: permission || YES_NO.test(question),
    permission,
    reason: REASON.test(question),
    trouble: TROUBLE.test(question),
    whole: WHOLE.test(question),
    turn: turn === "both" ? undefined : turn,
    change: changeOf(question),
    sides: sidesOf(question),
  };
}

/** Whether a text turns something on or off. */
export function turnOf(text: string): "on" | "off" | "both" | undefined {
  const [isOn, isOff] = [ON.test(text), OFF.test(text)];
  if (isOn && isOff) return "both";
  if (isOn) return "on";
  return isOff ? "off" : undefined;
}

/** Whether a text adds something or takes it away; undefined where it does both. */
export function changeOf(text: string): QuestionKind["change"] {
  const [adds, removes] = [ADDING.test(text), REMOVING.test(text)];
  if (adds === removes) return undefined;
  return adds ? "add" : "remove";
}

const TERM_WORDS_MAX = 3;

/** Whether it only names a thing, as "SyncConfig" or "dead letter queue": the reader wants to know what that is. */
function isTermAlone(question: string): boolean {
  return (
    question.replace(/(?<![?.!])[?.!]+$/, "").split(/\s+/).length <= TERM_WORDS_MAX &&
    ![STEPS, STARTS_WITH_ACTION, LIST, YES_NO, REASON, TROUBLE, ASKING].some((pattern) =>
      pattern.test(question),
    )
  );
}

const SUBJECT =
  /^(?:so |and )?what(?:['’]s| is| are) (?:an? |the )?(.{2,80}?)[?.!]*$|^what does (?:an? |the )?(.{2,80}?) (?:mean|do|stand for)[?.!]*$|^was (?:ist|sind) (?:ein(?:e|en)? |der |die |das )?(.{2,80}?)[?.!]*$|^qu['’]est-ce qu(?:e |['’])(?:une? |le |la |l['’]|les )?(.{2,80}?) ?[?.!]*$|^¿?qué (?:es|son) (?:una? |el |la |los |las )?(.{2,80}?)[?.!]*$/iu;
const SUBJECT_WORDS_MAX = 6;

function subjectOf(question: string): string | undefined {
  if (isTermAlone(question)) return question.replace(/(?<![?.!])[?.!]+$/, "");
  const subject = SUBJECT.exec(question)
    ?.slice(1)
    .find((found) => found !== undefined);
  return subject === undefined || subject.split(/\s+/).length > SUBJECT_WORDS_MAX ? undefined : subject;
}
