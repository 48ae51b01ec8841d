import { isStopWord } from "@docent/finding/search/analyze";

/** The words of a table. */
export const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Function words of questions in German, French and Spanish, and words for not working, which say nothing more. */
const FUNCTION_WORDS = list(`
  aber als am an auch auf aus bei bitte das dass dem den der des die dies diese diesen dieser dieses doch du ein eine einem
  einen einer er es für gibt habe haben hat ich ihn im in ist kann kannst können mache machen man mein meine mich mir mit
  muss müssen nach nicht noch oder sich sie sind soll um und unter unser vom von vor wann warum was welche welchem welchen
  welcher welches wenn wer werden wie wieso wir wird wo zu zum zur über
  danach dann funktioniert geht immer jetzt klappt nur schon sonst später trotzdem wieder zeig zeige zeigen
  au aux avec c'est ce cela ces cette ceux ça comment dans de des du elle elles en est est-ce et faire faut il ils je la le
  les leur leurs lui mais ma mes moi mon nous où ou par pas peut peux pour pourquoi puis-je qu'est-ce quand que quel quelle
  quelles quels qui sans se ses son sont sous sur te tu un une vous y
  ai aussi encore fonctionne marche montre montrer montrez ne rien seulement toujours
  al como con cuando cuál cuáles cómo de del desde dónde el ella ellos en entre es esa ese eso esta este esto está están hace
  hacer hay la las le lo los me mi mis más muy ni nos o para pero por porque puede puedo qué quién se ser si sin sobre son su
  sus también tengo tiene un una uno usar y ya yo
  ahora después dame enseña enseñas funciona funcionar muestra muéstrame nada sigue solo sólo todavía
`);

/** What is left of English negations such as "can't", and how they are typed in a hurry. */
const NEGATIONS = list("ca wo sha ai isnt dont doesnt didnt cant wont havent");

/** Words that need an owner: "what is the default?" is incomplete until we know of what. */
const OWNERLESS = list(`
  advantage advantages alternative alternatives answer anything argument arguments available back bad best better bigger break
  breaks broken case cases change changed changes cheaper code command commands complete cost costs default defaults detail details difference differences difficult
  different easier effect else enough example examples exactly fast faster field fields file files first flag flags format
  full good happen happens help important info information kind kinds last later least length less limit limits list location long
  longer look manually many maximum mean meaning means minimum missing name names necessary needed next nothing number often optional option
  options order output parameter parameters path permission permissions point port possible prerequisite prerequisites
  problem purpose quickly reason recommended reference required requirement requirements result results right safe sample second
  set setting settings shorter simple simpler size slow slower snippet somebody someone sort step steps supported sure syntax third thing things time
  type types unit units up valid value values version versions want way ways whole why working worse wrong yet
  ausführlicher beispiel beispiele datei einstellung genau genauer grenze grund länge mehr möglich nötig option standard
  ganze ganzes komplett komplettes standardwert umgekehrt unterschied voll vollständig vollständige vollständiges wert wo zweite
  combien complet complète contraire défaut différence exemple exemples fichier limite inverse mieux plein plus possible raison valeur
  completa completo defecto diferencia ejemplo ejemplos archivo inversa lleno límite mejor posible razón valor
`);

/** Words for actions. Where a question and the previous one each have one, the later one counts. */
const ACTIONS = list(`
  activate add attach authenticate build cancel change configure connect create customize deactivate debug delete deploy detach disable
  downgrade download edit enable export fix import increase inspect install launch manage migrate modify monitor mount move
  pause publish raise reduce reinstall remove rename replace reset restart restore resume revoke rotate run save scale
  schedule secure send start stop switch test turn undo uninstall unmount update upgrade upload verify view
  aktivieren aktualisieren anlegen deaktivieren deinstallieren einrichten entfernen erstellen installiere installieren
  konfigurieren löschen starten stoppen umbenennen ändern
  activer annuler arrêter changer configurer créer désactiver désinstaller installer lancer modifier redémarrer renommer supprimer
  activar actualizar borrar cambiar configurar crear desactivar desinstalar eliminar iniciar instalar quitar reiniciar renombrar
  安装 卸载 删除 升级 更新 配置 启用 禁用 撤销 恢复 取消 重启 削除 設定 更新 再起 起動
`);

/** The beginnings and endings of the verbs among them, as readers inflect them: "lösche", "supprime", "borro". */
const INFLECTED_ACTION = new RegExp(
  "^(?:" +
    "(?:aktivier|deaktivier|aktualisier|installier|deinstallier|konfigurier|entfern|erstell|lösch|start|stopp|änder)(?:e|t|st)|" +
    "(?:activ|désactiv|install|désinstall|configur|modifi|supprim|cré|redémarr|renomm)(?:e|es|ons|ez|ée?s?)|" +
    "(?:activ|desactiv|actualiz|borr|cambi|configur|cre|elimin|inici|reinici|instal|quit|renombr)(?:o|as?|amos|an|ad[oa]s?)" +
    ")$",
  "u",
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._+#-]*/gu;
/** The French article or pronoun of "l'exemple", "j'obtiens". */
const ELISION = /^(?:[cdjlmnst]|qu)'(?=\p{L}{2})/u;
const KATAKANA_OR_PAIR = /[\p{Script=Katakana}ー]{1,20}|[^\p{Script=Katakana}ー]{1,2}/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
/** Chinese and Japanese for "how do I", "what is", "please", and other function words. */
const UNSPACED_FUNCTION =
  /为什么|為什麼|怎么样|怎么办|怎么|怎麼|怎样|如何|什么|什麼|哪里|哪个|哪些|多少|请问|可以|能否|是否|应该|需要|我们|我|你|您|的|是|吗|嗎|呢|了|在|用|吧|请|要|那|这|它|どうすれば|どうやって|どのように|どうして|どう|なぜ|なに|何|できますか|できる|ですか|ますか|ますか|ません|ました|です|ます|ください|して|する|した|いい|よい|こと|もの|それ|これ|あれ|その|この|場合|だったら|たら|では|から|まで|は|が|を|に|の|で|と|も|か|へ|や/g;

/** Chinese and Japanese for "a full example", "it says", "still does not work": the same as what needs an owner. */
const UNSPACED_OWNERLESS =
  /例子|示例|完整|一个|能给|给我|报错|出现|显示|提示|还是|仍然|不行|没用|满了|具体的な|例(?=[をはがの])|見せ|示して|表示され|出ます|まだ|動き(?=ません)|動かない|いっぱい|元に戻す/g;

/** The words that carry a text's meaning, in lower case and in order. Text without spaces counts in pairs, Katakana in words. */
export function tellingWords(text: string): string[] {
  const spaced = text.replace(UNSPACED, " ").replaceAll("’", "'");
  const words = [...spaced.matchAll(WORD)]
    .map(([word]) => word.toLowerCase().replace(/(?:'s|[.'_-]+)$/, ""))
    .filter((word) => !isFunctionWord(word) && !isFunctionWord(word.replace(/n?'.*$/, "")))
    .map((word) => word.replace(ELISION, ""))
    .filter((word) => !isFunctionWord(word));
  return [...words, ...unspacedWords(text)];
}

function unspacedWords(text: string): string[] {
  return [...text.matchAll(UNSPACED)]
    .flatMap(([run]) => run.replace(UNSPACED_FUNCTION, " ").split(" "))
    .filter((piece) => piece.length > 1)
    .flatMap((piece) => piece.match(KATAKANA_OR_PAIR) ?? []);
}

/** Whether a word means nothing without what it belongs to. */
export const isOwnerless = (word: string): boolean => OWNERLESS.has(word);

/** A text without what means nothing by itself in Chinese and Japanese. */
export const withoutOwnerless = (text: string): string => text.replace(UNSPACED_OWNERLESS, " ");

/** Whether a word names an action. */
export const isAction = (word: string): boolean =>
  ACTIONS.has(word) ||
  INFLECTED_ACTION.test(word) ||
  (word.endsWith("ed") && (ACTIONS.has(word.slice(0, -1)) || ACTIONS.has(word.slice(0, -2))));

/** Whether a topic can do without a word. */
export const isFunctionWord = (word: string): boolean =>
  isStopWord(word) || FUNCTION_WORDS.has(word) || NEGATIONS.has(word);

/** Phrases by language, each the source of a regular expression. */
export type Phrases = Readonly<Record<string, string>>;

/** The source of a regular expression for the phrases of every language. */
export const anyOf = (phrases: Phrases): string => Object.values(phrases).join("|");
