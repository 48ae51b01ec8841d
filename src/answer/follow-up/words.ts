import { isStopWord } from "../../search/analyze.ts";

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Function words of questions in German, French and Spanish. */
const FUNCTION_WORDS = list(`
  aber als am an auch auf aus bei bitte das dass dem den der des die dies diese diesen dieser dieses doch du ein eine einem
  einen einer er es für gibt habe haben hat ich ihn im in ist kann kannst können mache machen man mein meine mich mir mit
  muss müssen nach nicht noch oder sich sie sind soll um und unter unser vom von vor wann warum was welche welchem welchen
  welcher welches wenn wer werden wie wieso wir wird wo zu zum zur über
  au aux avec c'est ce cela ces cette ceux ça comment dans de des du elle elles en est est-ce et faire faut il ils je la le
  les leur leurs lui mais ma mes moi mon nous où ou par pas peut peux pour pourquoi puis-je qu'est-ce quand que quel quelle
  quelles quels qui sans se ses son sont sous sur te tu un une vous y
  al como con cuando cuál cuáles cómo de del desde dónde el ella ellos en entre es esa ese eso esta este esto está están hace
  hacer hay la las le lo los me mi mis más muy ni nos o para pero por porque puede puedo qué quién se ser si sin sobre son su
  sus también tengo tiene un una uno usar y ya yo
`);

/** Words that need an owner: "what is the default?" is incomplete until we know of what. */
const OWNERLESS = list(`
  advantage advantages alternative alternatives answer argument arguments available bad best better bigger case cases change
  changed changes cheaper command commands cost costs default defaults detail details difference differences difficult
  different easier effect else enough example examples exactly fast faster field fields file files first flag flags format
  good happen happens help important info information kind kinds last later length less limit limits list location long
  longer look manually many maximum mean meaning means minimum missing name names necessary next number often optional option
  options order output parameter parameters path permission permissions point port possible prerequisite prerequisites
  problem purpose quickly reason recommended reference required requirement requirements result results right safe second
  set setting settings simple size slow slower somebody someone sort step steps supported sure syntax third thing things time
  type types up valid value values version versions want way ways why worse wrong yet
  ausführlicher beispiel beispiele datei einstellung genau genauer grenze grund länge mehr möglich nötig option standard
  standardwert unterschied wert wo zweite
  combien défaut différence exemple exemples fichier limite mieux plus possible raison valeur
  defecto diferencia ejemplo ejemplos archivo límite mejor posible razón valor
`);

/** Words for actions. Where a question and the previous one each have one, the later one counts. */
const ACTIONS = list(`
  activate add authenticate build cancel change configure connect create customize deactivate debug delete deploy disable
  downgrade download edit enable export fix import increase inspect install launch manage migrate modify monitor move
  pause publish raise reduce reinstall remove rename replace reset restart restore resume revoke rotate run save scale
  schedule secure send start stop test turn undo uninstall update upgrade upload verify view
  aktivieren aktualisieren anlegen deaktivieren deinstallieren einrichten entfernen erstellen installiere installieren
  konfigurieren löschen starten stoppen ändern
  activer arrêter changer configurer créer désactiver désinstaller installer lancer modifier supprimer
  activar actualizar borrar cambiar configurar crear desactivar desinstalar eliminar iniciar instalar quitar
  安装 卸载 删除 升级 更新 配置 启用 禁用 削除 設定
`);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._+#-]*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
/** Chinese and Japanese for "how do I", "what is", "please", and other function words. */
const UNSPACED_FUNCTION =
  /为什么|為什麼|怎么样|怎么办|怎么|怎麼|怎样|如何|什么|什麼|哪里|哪个|哪些|多少|请问|可以|能否|是否|应该|需要|我们|我|你|您|的|是|吗|嗎|呢|了|在|用|吧|请|要|那|这|它|どうすれば|どうやって|どのように|どうして|どう|なぜ|なに|何|できますか|できる|ですか|ますか|ますか|ません|ました|です|ます|ください|して|する|した|いい|よい|こと|もの|それ|これ|あれ|その|この|場合|では|から|まで|は|が|を|に|の|で|と|も|か|へ|や/g;

/** The words that carry a text's meaning, in lower case and in order. Text without spaces counts in pairs. */
export function tellingWords(text: string): string[] {
  const spaced = text.replace(UNSPACED, " ").replaceAll("’", "'");
  const words = [...spaced.matchAll(WORD)]
    .map(([word]) => word.toLowerCase().replace(/(?:'s|[.'_-]+)$/, ""))
    .filter((word) => !isStopWord(word.replace(/'.*$/, "")) && !FUNCTION_WORDS.has(word));
  return [...words, ...unspacedWords(text)];
}

function unspacedWords(text: string): string[] {
  return [...text.matchAll(UNSPACED)]
    .flatMap(([run]) => run.replace(UNSPACED_FUNCTION, " ").split(" "))
    .filter((piece) => piece.length > 1)
    .flatMap((piece) => piece.match(/.{1,2}/gsu) ?? []);
}

/** Whether a word means nothing without what it belongs to. */
export const isOwnerless = (word: string): boolean => OWNERLESS.has(word);

/** Whether a word names an action. */
export const isAction = (word: string): boolean => ACTIONS.has(word);

/** Whether a topic can do without a word. */
export const isFunctionWord = (word: string): boolean => isStopWord(word) || FUNCTION_WORDS.has(word);

/** Matches a sequence of these with nothing else but punctuation. */
const only = (phrases: string) =>
  new RegExp(`^(?:(?:${phrases})(?![\\p{L}\\p{N}])[\\s,.!;、，。！…-]*)+$`, "iu");
/** Matches one or more of these at the start, each with the punctuation after it. */
const leading = (phrases: string) =>
  new RegExp(`^(?:(?:${phrases})(?![\\p{L}\\p{N}'’])[\\s,.!;:、，。！…-]*)+`, "iu");

const THANKS =
  "thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|many thanks|great|cool|perfect|nice|awesome|excellent|brilliant|got it|" +
  "i see|understood|good|so|now|well|(?:that|it|this) (?:works|worked|helps|helped)(?: now)?|hi|hello|hey|" +
  "vielen dank|danke(?: schön| dir| ihnen)?|perfekt|super|toll|prima|hallo|merci(?: beaucoup)?|parfait|bonjour|(?:muchas )?gracias|" +
  "perfecto|genial|hola|谢谢你?|谢谢您|多谢|太好了|ありがとう(?:ございます|ございました)?|どうも|なるほど";
const YES =
  "yes|yeah|yep|yup|ok|okay|sure(?: thing)?|please|go ahead|do (?:it|that|so)|show (?:me|it)|show me (?:that|how)|of course|" +
  "absolutely|definitely|certainly|sounds good|why not|i (?:do|would)|i'?d (?:like|love) (?:that|to)|continue|go on|" +
  "ja|jawohl|bitte(?: schön)?|gerne?|klar|natürlich|mach das|oui|d['’]accord|s['’]il (?:te|vous) pla[iî]t|volontiers|bien sûr|" +
  "s[ií]|claro|por favor|vale|adelante|sim|好的?|是的?|对|行|可以|请|要的?|嗯|当然|はい|ええ|うん|お願いします|お願い|もちろん|そうです";
const NO =
  "no|nope|nah|sorry|wait|actually|not that|nein|doch|eigentlich|non|désolé|perdón|不是?|不对|いいえ|違います";
const MEANT =
  "i (?:mean|meant|am asking about|was asking about|am talking about)|rather|instead|ich mein(?:e|te)|je (?:veux|voulais) dire|" +
  "quiero decir|quise decir|quería decir|我(?:是说|的意思是|说的是|指的是?)";
const AND =
  "and(?: then)?|but|or|also|then|what about|how about|what of|same (?:for|with|on|in)|und|aber|oder|auch|dann|" +
  "was ist mit|wie (?:ist|steht|sieht) es (?:mit|bei)|et|mais|ou|alors|aussi|qu['’]en est-il (?:de|pour)|y|pero|entonces|también|" +
  "(?:y )?qu[ée] (?:hay de|pasa con|tal)";
const AND_UNSPACED = "那么?|还有|另外|而且|では|じゃあ?|それでは|あと|また|ちなみに";

/** After a longer "no" comes a new question. */
const CORRECTION_WORDS_MAX = 8;

const OPENING = {
  thanks: leading(THANKS),
  yes: leading(YES),
  no: leading(NO),
  meant: leading(MEANT),
  and: leading(AND),
  andUnspaced: new RegExp(`^[¿¡\\s]*(?:${AND_UNSPACED})[\\s,、，]*`, "u"),
};
const ONLY_YES = only(`${YES}|${THANKS}`);
const ONLY_PLEASANT = only(`${THANKS}|${NO}|no thanks?(?: you)?|nein danke|non merci`);

/** A question split into its opening and the rest. */
export interface Opened {
  /** Only thanks, a greeting, or a no. */
  isPleasantry: boolean;
  /** Only a yes. */
  isYes: boolean;
  /** Begins with a yes, and continues. */
  beginsWithYes: boolean;
  /** Takes back what was asked before. */
  isCorrection: boolean;
  /** Begins with "and", "what about", or the like. */
  isContinued: boolean;
  rest: string;
}

/** Strips the opening of a question, such as "yes, but". */
export function openingOf(question: string): Opened {
  const text = question.trim().replace(/^[¿¡\s]+/, "");
  const isPleasantry = ONLY_PLEASANT.test(text);
  const polite = strip(text, OPENING.thanks);
  const isYes = !isPleasantry && ONLY_YES.test(text);
  const afterYes = strip(polite, OPENING.yes);
  const afterNo = strip(afterYes, OPENING.no);
  const meant = strip(afterNo, OPENING.meant);
  const isCorrection =
    meant !== afterNo || (afterNo !== afterYes && wordCount(meant) <= CORRECTION_WORDS_MAX);
  const opened = strip(strip(meant, OPENING.and), OPENING.andUnspaced);
  return {
    isPleasantry,
    isYes,
    beginsWithYes: afterYes !== polite,
    isCorrection,
    isContinued: opened !== meant,
    rest: opened === "" ? text : opened,
  };
}

/** The text without its opening; a text that is nothing else stays. */
function strip(text: string, opening: RegExp): string {
  const rest = text.replace(opening, "");
  return rest.replace(/[\s?？!.]+/g, "") === "" ? text : rest.trimStart();
}

const wordCount = (text: string) => text.split(/\s+/).length;

/** "it", "that" and "there" as expletives, which stand for nothing. */
const EXPLETIVE =
  /\b(?:(?:is|was|would|will|can|does|do|may|should) it (?:be )?(?:possible|safe|ok(?:ay)?|worth|necessary|better|best|true|recommended|required|allowed|easy|hard|make sense|matter|take|cost|mean (?:when|if|that))|(?:does|would|will|can) it take|it(?: is|['’]s| was) (?:possible|safe|necessary|better|true|recommended|required|allowed|said)|it (?:takes?|seems|says|looks like|turns out)|make it (?:possible|so)|when it comes to|(?:is|are|was|were|will|be) there\b|there(?:['’]s| is| are| was| were| will)|(?:so|such|make sure|sure|ensure|now|given|provided|mean|means|says?|said|know|check|see|verify|think|sure) that(?= (?:the|a|an|all|each|every|no|only|my|our|your|two|there|\p{L}+s\b))|(?:only|at least|more than|just|up to|than) one\b|one (?:of|by|or more|at a time|thing|page|file|day|hour|minute)\b|at the same time|each other|(?:instead|other) (?:of|than)|gibt es|es gibt|wie geht es|il y a|il faut)\b/giu;

/** English words that stand for something said before. */
const POINTS_BACK =
  /\b(?:it|its|itself|they|them|their|theirs|these|those|this|ones|he|she|former|latter|above|aforementioned|both|neither|either|others?|such|thereof|therein)\b|\bthat(?=\s*(?:[?.!,;:]|$))|\bthat(?:['’]s)?(?= (?:is|was|does|work|works|mean|means|has|have|can|will|would|should|be|for|in|on|with|from|to|one|way|by|at|after|too|also|instead|page|command|option|setting|error|file|value|key|flag|step|method|function|parameter|variable|feature|case|message|process|number|line)\b)|^that\b|\b(?:is|does|did|do|was|for|of|about|with|like|after|before|than|change|why) that\b(?! (?:the|a|an|i|we|you|my|our|all|every|each|no)\b)|\b(?:the|which|this|another|other|each|any|new|first|second|third|last|old) one\b(?!-)|\bone(?=\s*(?:[?.!,]|$))|\bthere(?=\s*(?:[?.!,]|$))|\b(?:from|over|up|in) there\b|\bthe same\b|\b(?:instead|too|as well|otherwise|again)(?=\s*[?.!]*$)/iu;

/**
 * The same in German, French and Spanish. A capital after a German article shows that it is not a pronoun.
 */
const POINTS_BACK_ELSEWHERE =
  /\b(?:das|dies|diese[rsmn]?)(?=\s*(?:[?.!,]|$)|\s+\p{Ll})(?! \p{Lu})|\b(?:ihn|ihm|dafür|damit|davon|dazu|darin|daran|dort|stattdessen|ebenfalls|beides?)\b|\bsie(?=\s*[?.!]*$)|(?:^|\s)(?:ça|cela|ceci|celui-ci|celle-ci|celui|celle|ceux|lequel|laquelle)(?=\s|[?.!,]|$)|(?:^|\s)l['’]\p{L}+(?:er|ir|re)(?=\s|[?.!]|$)|\blo (?!que|más)\p{L}+|\b(?:eso|esto|ello|ellos|ellas|allí|ahí|aquello|mismo)\b|\b\p{L}+(?:ar|er|ir)(?:l[oa]s?|me|se)\b/iu;

const POINTS_BACK_UNSPACED =
  /它们?|这个|那个|这些|那些|这样|那样|这里|那里|其中|上面|前者|后者|另一个|呢[?？。\s]*$|それ|これ|あれ|そこ|その|この|そう|同じ|場合は[?？。\s]*$|[^\s]は[?？]\s*$|の方は/u;

const CLAUSE =
  /[,;:.!?]\s|\s(?:and|then|if|when|whenever|after|before|because|but|while|until|so|und|dann|wenn|et|si|y)\s/giu;

/** Whether a question contains a word that stands for something outside of it. */
export function pointsBack(question: string): boolean {
  if (POINTS_BACK_UNSPACED.test(question) || POINTS_BACK_ELSEWHERE.test(question)) return true;
  const text = question.replace(EXPLETIVE, (found) => " ".repeat(found.length));
  const found = POINTS_BACK.exec(text);
  return found !== null && !isNamedBefore(text.slice(0, found.index));
}

/**
 * Whether an earlier clause names what the word stands for: "If a job runs for too long, how do I end it?"
 */
function isNamedBefore(before: string): boolean {
  const boundary = [...before.matchAll(CLAUSE)].at(-1);
  const clause = boundary === undefined ? "" : before.slice(0, boundary.index);
  return tellingWords(clause).length >= 2;
}
