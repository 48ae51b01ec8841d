import { courtesiesFor } from "../sites/phrases.ts";
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
  ["thanks", "en", only("(?:many )?thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers|bye|goodbye")],
  ["thanks", "de", only("(?:vielen )?dank(?:e(?: ?schön| dir| ihnen| sehr)?)?|tschüss?|auf wiedersehen")],
  ["thanks", "fr", only("merci(?: beaucoup| bien)?|au revoir")],
  ["thanks", "es", only("(?:muchas )?gracias|adiós")],
  ["thanks", "zh", only("谢谢你?|谢谢您|多谢|再见")],
  ["thanks", "ja", only("ありがとう(?:ございます|ございました)?|どうも|さようなら")],
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
  return found && courtesiesFor(found[1])[found[0]];
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
