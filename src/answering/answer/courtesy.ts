import { spokenLanguage } from "@docent/kernel/text/languages";
import { courtesiesFor } from "@docent/sites/site/phrases";
import type { AnswerEvent } from "./events.ts";
import { begin, finish, type OpenAnswer, say } from "./turn.ts";

type Courtesy = keyof ReturnType<typeof courtesiesFor>;

const only = (phrases: string) => new RegExp(`^(?:(?:${phrases})[\\s,.!…、，。！]*)+$`, "iu");

/** What readers say that asks nothing of the docs, by what is said in return and the language that it is in. */
const SAID: readonly [courtesy: Courtesy, language: string, said: RegExp][] = [
  [
    "greeting",
    "en",
    only("hi(?: there)?|hello(?: there)?|hey(?: there)?|good (?:morning|afternoon|evening)"),
  ],
  ["greeting", "de", only("hallo|moin|servus|grüß gott|guten (?:tag|morgen|abend)")],
  ["greeting", "fr", only("bonjour|bonsoir|salut")],
  ["greeting", "es", only("hola|buen[oa]s (?:días|tardes|noches)")],
  ["greeting", "zh", only("你好|您好")],
  ["greeting", "ja", only("こんにちは|こんばんは|おはよう(?:ございます)?")],
  ["greeting", "ar", only("مرحب[اً]+|أهلا(?: وسهلا)?|السلام عليكم|صباح الخير|مساء الخير")],
  ["greeting", "cs", only("ahoj|dobr(?:ý den|é ráno|ý večer)")],
  ["greeting", "hi", only("नमस्ते|नमस्कार|हैलो")],
  ["greeting", "id", only("halo|selamat (?:pagi|siang|sore|malam)")],
  ["greeting", "it", only("ciao|salve|buongiorno|buonasera|buon pomeriggio")],
  ["greeting", "ko", only("안녕(?:하세요|하십니까)?")],
  ["greeting", "nl", only("hoi|goede(?:morgen|middag|navond|ndag)|goeden?dag")],
  ["greeting", "pl", only("cześć|dzień dobry|dobry wieczór|witam")],
  ["greeting", "pt-BR", only("olá|oi|bo(?:m dia|a tarde|a noite)")],
  ["greeting", "ru", only("привет|здравствуй(?:те)?|добр(?:ый день|ое утро|ый вечер)")],
  ["greeting", "sv", only("hej(?: hej)?|hejsan|god (?:morgon|dag|kväll)")],
  ["greeting", "tr", only("merhaba(?:lar)?|selam|günaydın|iyi (?:günler|akşamlar)")],
  ["greeting", "uk", only("привіт|вітаю|добр(?:ий день|ого ранку|ий вечір)")],
  ["greeting", "vi", only("(?:xin )?chào(?: bạn)?")],
  ["thanks", "en", only("(?:many )?thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers|bye|goodbye")],
  ["thanks", "de", only("(?:vielen )?dank(?:e(?: ?schön| dir| ihnen| sehr)?)?|tschüss?|auf wiedersehen")],
  ["thanks", "fr", only("merci(?: beaucoup| bien)?|au revoir")],
  ["thanks", "es", only("(?:muchas )?gracias|adiós")],
  ["thanks", "zh", only("谢谢你?|谢谢您|多谢|再见")],
  ["thanks", "ja", only("ありがとう(?:ございます|ございました)?|どうも|さようなら")],
  ["thanks", "zh-Hant", only("謝謝(?:你|您)?|多謝|再見")],
  ["thanks", "ar", only("شكر[اً]+(?: جزيلا)?|مع السلامة")],
  ["thanks", "cs", only("děkuj[iu]|díky|na shledanou")],
  ["thanks", "hi", only("धन्यवाद|शुक्रिया")],
  ["thanks", "id", only("terima kasih(?: banyak)?|makasih")],
  ["thanks", "it", only("(?:molte |mille )?grazie(?: mille)?|arrivederci")],
  ["thanks", "ko", only("감사합니다|고맙습니다|고마워요?")],
  ["thanks", "nl", only("bedankt|dank (?:je|u)(?: wel)?|tot ziens")],
  ["thanks", "pl", only("(?:bardzo )?dziękuję(?: bardzo)?|dzięki|do widzenia")],
  ["thanks", "pt-BR", only("(?:muito )?obrigad[oa]|valeu|tchau")],
  ["thanks", "ru", only("(?:большое )?спасибо(?: большое)?|благодарю|до свидания")],
  ["thanks", "sv", only("tack(?: så mycket)?|hej då")],
  ["thanks", "tr", only("(?:çok )?teşekkür(?:ler| ederim)|sağ ?ol(?:un)?|güle güle")],
  ["thanks", "uk", only("дякую|до побачення")],
  ["thanks", "vi", only("(?:xin )?cảm ơn(?: bạn)?|tạm biệt")],
  [
    "self",
    "en",
    /^(?:who|what) are you\W*$|^(?:what can you do|are you (?:a (?:bot|human|robot)|an ai))\W*$/iu,
  ],
  ["self", "de", /^(?:wer|was) (?:bist du|sind sie)\W*$|^was kannst du\W*$/iu],
  ["self", "fr", /^(?:qui (?:es-tu|êtes-vous)|tu es qui|que (?:peux-tu|pouvez-vous) faire)\W*$/iu],
  ["self", "es", /^(?:quién eres|qué eres|qué puedes hacer)\W*$/iu],
  ["self", "zh", /^你是谁\W*$|^你能做什么\W*$/iu],
  ["self", "ja", /^(?:あなたは誰|あなたは誰ですか|何ができますか)\W*$/iu],
  ["self", "it", /^(?:chi sei|cosa puoi fare)\W*$/iu],
  ["self", "ko", /^(?:누구세요|당신은 누구(?:입니까|세요))\W*$/iu],
  ["self", "nl", /^(?:wie|wat) (?:ben je|bent u)\W*$/iu],
  ["self", "pl", /^kim jesteś\W*$/iu],
  ["self", "pt-BR", /^(?:quem é você|o que você (?:faz|pode fazer))\W*$/iu],
  ["self", "ru", /^(?:кто ты|кто вы|что ты умеешь)[?!.\s]*$/iu],
  ["self", "uk", /^(?:хто ти|хто ви)[?!.\s]*$/iu],
];
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** No courtesy is as long as this. */
const CHARACTERS_MAX = 60;

/**
 * What is said in return to a reader who greets, thanks, asks who answers, or writes no word: searching for that would
 * quote whatever contains it. Undefined for a question.
 */
export function courtesyFor(text: string, siteLanguage: string): string | undefined {
  const said = text.replace(/^[¿¡\s]+/u, "").trimEnd();
  if (!SAYS_SOMETHING.test(said)) return courtesiesFor(siteLanguage).empty;
  if (said.length > CHARACTERS_MAX) return undefined;
  const found = SAID.find(([, , pattern]) => pattern.test(said));
  if (!found) return undefined;
  const [courtesy, language] = found;
  // What is said alike where Chinese is written in another way is answered as the site writes it.
  const isSites = spokenLanguage(siteLanguage)?.startsWith(language);
  return courtesiesFor(isSites ? siteLanguage : language)[courtesy];
}

/** Returns a courtesy. Nothing is searched, and no model is asked. */
export async function* giveCourtesy(answer: OpenAnswer, text: string): AsyncIterable<AnswerEvent> {
  answer.turn.responder = "extractive";
  yield* begin(answer, answer.request.question.text, []);
  yield say(answer, text);
  yield* finish(answer, {
    outcome: "answered",
    responder: "extractive",
    model: undefined,
    cached: false,
    finishReason: "stop",
    usage: { promptTokens: 0, completionTokens: 0 },
  });
}
