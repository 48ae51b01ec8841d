/** Words that turn a statement round, in the languages that answers are most often written in. */
const DENIALS =
  /(?<![\p{L}])(?:not|never|cannot|no|nor|neither|without|nothing|none|nobody|nowhere|unable|unsupported|unavailable|nicht|nie|niemals|kein(?:e[mnrs]?)?|ohne|nichts|weder|noch|pas|jamais|sans|aucune?|rien|nunca|jamás|sin|ningun[oa]?|ningún|tampoco|nada|não|nunca|sem|non(?!-)|senza|mai|niet|geen|zonder|не|нет|без|никогда)(?![\p{L}])|n['’]t(?![\p{L}])|[不没沒無无非未❌✗✘]|别|ない|ません|なし|ずに|않|없/giu;

/** Words that may turn a statement round, and may not: a sentence with one of them is neither denial nor the contrary. */
const HEDGES =
  /(?<![\p{L}])(?:refus\w*|den(?:y|ies|ied)|reject\w*|forbid\w*|forbidden|prevent\w*|skip\w*|ignor\w*|exclud\w*|except\w*|unless|until|only|alone|instead|rather|other than|else|but|lack\w*|miss(?:es|ing)|fail\w*|hardly|barely|leaves? out|left out|drop\w*|off|disabl\w*|stop\w*|avoid\w*|nur|außer|sondern|statt|verweiger\w*|abgelehnt|sauf|seulement|que|sino|sólo|solo|excepto|只|仅|僅|除|だけ|のみ|以外)(?![\p{Script=Latin}])/iu;

/** How often a text denies. */
export const denialsIn = (text: string): number => [...text.matchAll(DENIALS)].length;
export const hedges = (text: string): boolean => HEDGES.test(text);

/** Words that say the contrary of each other; each side has its forms. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  [
    "enabl\\w*|activ(?:e|ated?|ates|ating)|turn(?:ed|s|ing)? on|switch(?:ed|es)? on|on|aktiv\\w*|activée?|activad[oa]",
    "disabl\\w*|inactive|deactivat\\w*|turn(?:ed|s|ing)? off|switch(?:ed|es)? off|off|deaktiv\\w*|désactivée?|desactivad[oa]",
  ],
  ["before|vor|bevor|avant|antes", "after|nach|nachdem|après|después"],
  ["always|immer|toujours|siempre", "never|nie|niemals|jamais|nunca|sometimes"],
  [
    "at most|up to|no more than|maximum|max|höchstens|maximal|bis zu|au plus|como máximo|最多|至多",
    "at least|no less than|minimum|min|mindestens|minimal|au moins|como mínimo|至少|最少",
  ],
  [
    "larger|bigger|longer|higher|greater|größer|höher|länger",
    "smaller|shorter|lower|kleiner|niedriger|kürzer",
  ],
  [
    "large|big|long|high|groß\\w*|hoh\\w*|lang\\w*|élevée?|alt[oa]",
    "small|short|low|klein\\w*|niedrig\\w*|kurz\\w*|faible|baj[oa]",
  ],
  ["more|most|mehr|plus|más|更多", "fewer|less|fewest|least|weniger|moins|menos|更少"],
  ["faster|schneller", "slower|langsamer"],
  [
    "first|zuerst|erste[rns]?|premiere?|primer[oa]?|第一",
    "last|zuletzt|letzte[rns]?|dernière?|últim[oa]|最后",
  ],
  ["oldest|earliest|älteste[rn]?", "newest|latest|most recent|neueste[rn]?"],
  ["both|beide[sn]?|les deux|ambos", "neither|weder|only|alone|nur|seulement|sólo|solo"],
  ["all|every|each|alle|jede[rsn]?|tous|todos|everything|alles", "none|nothing|keine?|aucune?|ninguno"],
  [
    "required?|requires|must|mandatory|erforderlich|muss|müssen|obligatoire|obligatorio|必须",
    "optional|optionally|need not|optionnel|facultatif|opcional|可选",
  ],
  [
    "allow(?:s|ed)?|permit(?:s|ted)?|accept(?:s|ed)?|erlaubt|angenommen",
    "refus(?:e|es|ed)|forbid(?:s|den)?|den(?:y|ies|ied)|reject(?:s|ed)?|verboten|abgelehnt",
  ],
  ["visible|shown?|shows|sichtbar", "invisible|hidden|hides?|invisibly|unsichtbar"],
  ["public|öffentlich", "secret|private|privat|geheim"],
  [
    "keep|keeps|kept|stays?|remains?|retain(?:s|ed)?|behält|bleibt",
    "remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?|discard(?:s|ed)?|entfernt|gelöscht",
  ],
  ["keep|keeps|kept|retain(?:s|ed)?", "replac(?:e|es|ed|ing)|overwrit\\w*"],
  ["includ(?:e|es|ed|ing)|contains?", "exclud(?:e|es|ed|ing)|(?:left|leaves?|leaving) out|omit\\w*|without"],
  ["incoming|inbound", "outgoing|outbound"],
  ["start(?:s|ed)?|begin(?:s|ning)?", "stop(?:s|ped)?|end(?:s|ed)?"],
  ["add(?:s|ed|ing)?|hinzu(?:fügen|gefügt)", "remov(?:e|es|ed|ing)|entfern(?:t|en)"],
  ["read-only|read", "writ(?:e|es|able|ten)"],
  ["above|exceeds?", "below"],
  [
    "same|equal|identical|gleiche[nrms]?|même|mismo",
    "new|different|other|another|separate|own|andere[nrms]?|neue[rns]?|différente?|otro",
  ],
  [
    "increas(?:e|es|ed|ing)|rais(?:e|es|ed|ing)",
    "decreas(?:e|es|ed|ing)|reduc(?:e|es|ed|ing)|lower(?:s|ed|ing)?",
  ],
  ["synchronous(?:ly)?", "asynchronous(?:ly)?"],
  ["manual(?:ly)?|by hand|manuell", "automatic(?:ally)?|by itself|by themselves|automatisch|selbst"],
  ["global(?:ly)?", "local(?:ly)?"],
  ["remote(?:ly)?", "local(?:ly)?"],
  ["upper-?case|uppercase", "lower-?case|lowercase"],
  ["ascending|aufsteigend", "descending|absteigend"],
  ["whole|entire(?:ly)?|fully|complete(?:ly)?", "part|partly|partial(?:ly)?"],
  ["inside|within|innerhalb", "outside|außerhalb"],
  ["internal(?:ly)?", "external(?:ly)?"],
  ["success(?:ful|fully)?|succeeds?", "fail(?:s|ed|ure)?"],
  ["unlike", "like"],
  ["supported", "unsupported"],
  ["ignor(?:e|es|ed)", "rejected|refused|errors?|used|applied|read"],
  ["online|running", "offline|stopped|down"],
  ["import(?:s|ed)?", "export(?:s|ed)?"],
  ["upload(?:s|ed)?", "download(?:s|ed)?"],
  ["open(?:s|ed)?", "clos(?:e|es|ed)"],
  ["temporar(?:y|ily)", "permanent(?:ly)?"],
  ["true", "false"],
  ["recommended|empfohlen", "discouraged|deprecated|abgeraten"],
  ["absolute", "relative"],
  ["static", "dynamic"],
  ["immediately|at once|right away|sofort", "eventually|afterwards|später"],
  ["sensitive", "insensitive"],
  ["parallel", "sequential(?:ly)?|one after (?:the other|another)|in turn|one at a time"],
  ["top", "bottom"],
  ["client", "server"],
];
const bounded = (words: string) =>
  new RegExp(`(?<![\\p{Script=Latin}\\d_-])(?:${words})(?![\\p{Script=Latin}\\d_-])`, "iu");
const PAIRS = OPPOSITES.flatMap(([one, other]) => {
  const [a, b] = [bounded(one), bounded(other)];
  return [[a, b] as const, [b, a] as const];
});

/** What makes an exception of a part: the rest of the sentence says the contrary of it. */
export const EXCEPTS =
  /(?<!\p{L})(?:except|unless|otherwise|other than|but|apart from|außer|sonst|sauf|excepto|除)(?!\p{Script=Latin})/iu;

/** Whether two texts have a word and its contrary, in the other order: "off until you turn it on". */
export function turnsRound(one: string, other: string): boolean {
  return PAIRS.some(([a, b]) => {
    const [first, second] = [one, other].map((text) => [text.search(a), text.search(b)]);
    if (first === undefined || second === undefined || [...first, ...second].includes(-1)) return false;
    return (first[0] ?? 0) < (first[1] ?? 0) && (second[0] ?? 0) > (second[1] ?? 0);
  });
}

/** Pairs of words: what a text says, and the contrary that it does not say. */
export const oppositesOf = (text: string): (readonly [said: RegExp, contrary: RegExp])[] =>
  PAIRS.filter(([said, contrary]) => said.test(text) && !contrary.test(text));
