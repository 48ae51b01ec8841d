import { analyze } from "../analyze.ts";

/** "On my", "auf meinem", "sur notre" …, in the languages in which readers ask. */
const PLACES = [
  "(?:on|in|at|behind|inside|under) (?:my|our)",
  "(?:auf|in|an|bei|hinter|unter) (?:mein|unser)e?[mnr]?",
  "(?:sur|dans|chez|derrière|sous) (?:mon|ma|mes|notre|nos)",
  "(?:en|sobre) (?:mis?|nuestr[oa]s?)",
  "(?:su|sul|sulla|sui|nel|nella|nei|in) (?:mi[oae]|miei|nostr[oaie])",
  "(?:em|no|na|nos|nas) (?:meus?|minhas?|noss[oa]s?)",
  "(?:op|in|bij|achter) (?:mijn|onze|ons)",
  "(?:på|i|bakom) (?:min|mitt|mina|vår|vårt|våra)",
  "(?:na|we?|u) (?:moim|mojej|moich|naszym|naszej|naszych)",
  "(?:na|ve?) (?:mém|mé|mojí|mých|našem|naší|našich)",
  "(?:на|в|во|у) (?:мо[её]м|моей|моих|нашем|нашей|наших|моєму|моїй|моїх|нашому|нашій)",
  // What happened to it before.
  "(?:since|after|because) (?:my|our)",
  "(?:depuis que|après que|parce que) (?:mon|ma|mes|notre|nos)",
];
/** What may stand before a name. */
const ADJECTIVE =
  "(?:own|old|new|home|little|small|other|second|two|alte[nm]?|neue[nm]?|kleine[nm]?|eigene[nm]?)";
const PLACE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${PLACES.join("|")}) (?:${ADJECTIVE} )?(?=\p{L})`,
  "giu",
);
/** A word, and those behind it that are written as more of a name: "Synology DS920". */
const NAME = /\p{L}[\p{L}\p{N}+-]{1,40}(?: [\p{Lu}\p{N}][\p{L}\p{N}+.-]{0,40}){0,2}/uy;
const SENTENCE_END = /[.?!;](?=\s|$)|[？。！\n]/gu;
/** Asks whether or how something is done there: that place is what the docs are asked about. */
const ASKS =
  /\?\s*$|^\s*(?:and |so |but )?(?:how|can|could|does|do|is|are|will|would|where|which|what|wie|kann|können|gibt|comment|est-ce|peut|puis|cómo|puedo|come|posso|como|hoe|kan|jak|как|як|hur)(?!\p{L})/iu;
const ASKS_WHY =
  /(?<!\p{L})(?:why|how come|warum|wieso|weshalb|pourquoi|por ?qu[eé]|perché|waarom|varför|dlaczego|proč|почему|чому)(?!\p{L})/iu;
/** What programs do in a place, by the stems of verbs, and what there is for it. */
const RUNS_THERE =
  /(?<!\p{L})(?:insta|run|deploy|host|set(?:ting)? ?up|work|use|using|play|watch|stream|support|available|apps?(?!\p{L})|package|läuft|laufen|betreib|einricht|funkt?[iz]|fonctionn|funzion|verwend|nutz|benutz|utili[sz]|usar|marche|werkt|gebruik|draai|uruch|dział|устан|работ|запус|fung)/iu;
/** What is longer is a log, and no place of the reader's is told in it. */
const CHARACTERS_MAX = 10_000;

/**
 * The terms of names that tell where a question's reader is, and of nothing else in it: "on my Synology". A passage that
 * answers need not have them. What is to work with the docs' product, as "with my Alexa", or is to run it, is asked about.
 */
export function ownNameTerms(question: string): ReadonlySet<string> {
  const own = new Set<string>();
  if (question.length > CHARACTERS_MAX) return own;
  let rest = question;
  for (const { 0: place, index } of question.matchAll(PLACE)) {
    NAME.lastIndex = index + place.length;
    const name = NAME.exec(question)?.[0];
    if (name === undefined || isAskedAbout(sentenceAround(question, index))) continue;
    for (const term of analyze(name)) own.add(term);
    rest = rest.slice(0, index) + " ".repeat(place.length + name.length) + rest.slice(NAME.lastIndex);
  }
  if (own.size > 0) for (const term of analyze(rest)) own.delete(term);
  return own;
}

const isAskedAbout = (sentence: string): boolean =>
  ASKS.test(sentence) && !ASKS_WHY.test(sentence) && RUNS_THERE.test(sentence);

function sentenceAround(text: string, at: number): string {
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const end = ends.find((each) => each > at) ?? text.length;
  return text.slice(ends.findLast((each) => each <= at) ?? 0, end);
}
