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
