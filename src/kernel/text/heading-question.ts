/** What headings begin with that say what to do, in both forms; most others form theirs alike. */
const ACTIONS =
  "access activate add adjust allow analyze apply assign attach authenticate authorize automate backup bind block boost build bundle cache call cancel change check choose clean clear clone collect combine compare compile configure connect control convert copy create customize debug declare define delete deploy detect develop disable display download edit embed enable encrypt enforce ensure execute export extend extract fetch filter find fix format generate get grant group handle host implement import improve include increase index inspect install integrate invite join launch limit link list load localize lock log maintain make manage map measure merge migrate mock modify monitor mount move name navigate open optimize organize override package parse pass patch pause pin plan prepare prevent profile protect provide publish query read rebuild receive record recreate redirect reduce refactor register release reload remove rename render reorder repair replace report request require reset resize resolve restart restore restrict resume retrieve reuse revert revoke roll rotate route run save scale schedule search secure select send serve set share show sign simplify skip sort specify split start stop store stream style submit subscribe switch sync synchronize tag target test throttle trace track train transfer transform translate trigger troubleshoot tune turn uninstall unlock update upgrade upload use validate verify version view visualize work wrap write".split(
    " ",
  );
const GERUNDS = new Map(ACTIONS.flatMap((verb) => formsOf(verb).map((gerund) => [gerund, verb] as const)));
const VERBS: ReadonlySet<string> = new Set(ACTIONS);
/** Words of both kinds, as in "Test results" and "Log level": a heading that begins with them may name a thing. */
const ALSO_NOUNS: ReadonlySet<string> = new Set(
  "access backup bundle cache call change check control copy display edit export format function group host import index limit link list lock log map measure name package patch pin plan profile query record release report request require reset resume route run scale schedule search set share show sort start store stream style tag target test trace track trigger update upgrade use version view work".split(
    " ",
  ),
);
/** Whose other form is also a thing's name, as in "Logging directory" and "Training data". */
const THINGS_TOO: ReadonlySet<string> = new Set(
  "bind build bundle cache group handle load log map merge monitor parse patch plan process profile report route run scale schedule sort stream style tag test throttle time track train version".split(
    " ",
  ),
);
/** What a verb is followed by, where it tells to do something. */
const OBJECT =
  /^(?:an?|the|your|our|its|their|this|that|these|those|all|any|each|every|multiple|several|more|it|up|off|on|to|from|with|in|as|between)$/i;
/** Headings that are on every other page, and say nothing of this one. */
const GENERAL =
  /^(?:about(?: this .*)?|abstract|acknowledge?ments?|additional (?:information|resources)|api(?: reference)?|appendix|arguments?|attributes?|authors?|background|basics?|before you (?:begin|start)|bugs?|caveats?|changelog|conclusion|contents?|contributing|contributors|credits|definitions?|demo|(?:\w+ )?description|details|documentation|examples?|exceptions?|faqs?|features?|feedback|footnotes?|frequently asked questions|further (?:reading|information)|general|getting (?:help|started)|glossary|goals?|help|history|home|important|index|info(?:rmation)?|inputs?|introduction|known issues|learn more|license|limitations?|links?|methods?|misc(?:ellaneous)?|more(?: .*)?|motivation|next(?: steps?)?|notes?|options?|outputs?|overview|parameters?|prerequisites?|properties|props|purpose|question|quick ?start|readme|references?|related(?: .*)?|release notes|remarks?|requirements?|resources?|results?|returns?|return values?|roadmap|see also|setup|signature|source(?: code)?|step \d+.*|steps?|summary|support|syntax|table of contents|terminology|throws|tips?|todo|troubleshooting|tutorials?|usage|using|values?|versions?|warning|welcome.*|what(?:'|’)s new|what(?:'|’)s next.*|why)$/i;
/** Things that work in some way: "Authentication", "Request batching". */
const WORKING =
  /(?:[a-z]{3}(?:ation|ition|ction|ption|ment)|[a-z]{4}(?:sion|ing)|[a-z]{2}ery|[a-z]{3}ance|routing|caching|failover|lifecycle|cycle)$/i;
const CODE_OR_PATH = /[`(){}[\]<>=\\|$#@*]|\w[._/]\w|::|^-|\b[a-z]+[A-Z]|^\d/;
const HEADING_CHARACTERS_MIN = 4;
const HEADING_CHARACTERS_MAX = 70;
const WORKING_WORDS_MAX = 2;
/** These ask for nothing that a section does by itself: "Understand caching", "Ingress troubleshooting". */
const TAUGHT =
  /^(?:understand|learn|explore|consider|follow|review|meet|know|avoid|keep|see)\b|troubleshooting$/i;

/**
 * A question that the section under a heading answers, where the heading is one, or tells what one asks there; undefined
 * for every other. Headings in other languages than English are taken as they are, where they end in a question mark.
 */
export function questionOfHeading(heading: string, language: string): string | undefined {
  const text = heading
    .replace(/^(?:\d+\.)*\d+[.)]?\s+/, "")
    .replace(/(?<![\s:.!])[\s:.!]+$/, "")
    .trim();
  if (text.length < HEADING_CHARACTERS_MIN || text.length > HEADING_CHARACTERS_MAX) return undefined;
  if (/[?？؟]$/.test(text)) return /\s|[？؟]/.test(text) ? text : undefined;
  if (!/^en\b/i.test(language) || GENERAL.test(text) || TAUGHT.test(text)) return undefined;
  return fromAsked(text) ?? fromAction(text) ?? fromThing(text);
}

/** What the reader asks to do, in the reader's own words. */
const howDoI = (doing: string): string =>
  `How do I ${doing.replace(/\byour\b/g, "my").replace(/\byou\b/g, "I")}?`;

/** From "How to add a site", and "Cats vs. dogs". */
function fromAsked(text: string): string | undefined {
  const [, how] = /^how to (.+)$/i.exec(text) ?? [];
  if (how !== undefined) return howDoI(startingLow(how));
  const [, one, other] = /^(.{2,30}?) (?:vs\.?|versus|compared (?:to|with)) (.{2,30})$/i.exec(text) ?? [];
  if (one !== undefined && other !== undefined) return `What is the difference between ${one} and ${other}?`;
  return /^(?:how|what|when|where|why|which|who|can|does|is|are|should) \S+ \S/i.test(text) && !/,/.test(text)
    ? asQuestion(text)
    : undefined;
}

/** "What is a thread" is a question without its mark; "What a thread is" and "How sites are found" are not. */
function asQuestion(text: string): string | undefined {
  return /^(?:(?:how|what|when|where|why|which|who) (?:do|does|did|is|are|was|can|should|would|will)\b|(?:can|does|should|is|are) )/i.test(
    text,
  )
    ? `${text}?`
    : undefined;
}

/** From "Install the program", "Installing the program" and "Installing and updating the program". */
function fromAction(text: string): string | undefined {
  const [first = "", second, ...rest] = text.split(/\s+/);
  if (second === undefined || CODE_OR_PATH.test(first)) return undefined;
  const word = first.toLowerCase();
  const verb = GERUNDS.get(word);
  const after = [second, ...rest].join(" ");
  if (verb === undefined)
    return VERBS.has(word) && isToldTo(ALSO_NOUNS, word, second) ? howDoI(`${word} ${after}`) : undefined;
  const [, joint, also = "", object] = /^(and|or) (\w+ing) (\S.*)$/i.exec(after) ?? [];
  if (object !== undefined)
    return GERUNDS.has(also.toLowerCase())
      ? howDoI(`${verb} ${joint} ${GERUNDS.get(also.toLowerCase())} ${object}`)
      : undefined;
  return isToldTo(THINGS_TOO, verb, second) ? howDoI(`${verb} ${after}`) : undefined;
}

const isToldTo = (things: ReadonlySet<string>, verb: string, next: string): boolean =>
  (!things.has(verb) || OBJECT.test(next)) && !/^(?:and|or)$/i.test(next);

/** From "Authentication" and "Request batching". */
function fromThing(text: string): string | undefined {
  const words = text.split(/\s+/);
  if (
    words.length > WORKING_WORDS_MAX ||
    VERBS.has((words[0] ?? "").toLowerCase()) ||
    CODE_OR_PATH.test(text) ||
    /[,:;&–—-]/.test(text)
  )
    return undefined;
  const last = words.at(-1) ?? "";
  if (GERUNDS.has(last.toLowerCase()) && words.length === 1) return `How does ${inSentence(text)} work?`;
  return WORKING.test(last) && /^\p{Lu}/u.test(text) ? `How does ${inSentence(text)} work?` : undefined;
}

/** Words within a sentence: what is written with a capital alone at its beginning loses it. Names and acronyms keep theirs. */
function inSentence(text: string): string {
  const [first = "", ...rest] = text.split(" ");
  const isTitleCase = rest.filter((word) => /^\p{Lu}\p{Ll}/u.test(word)).length;
  return isTitleCase === 0 ? [startingLow(first), ...rest].join(" ") : text;
}

const startingLow = (text: string): string =>
  /^\p{Lu}\p{Ll}+(?=\s|$|[,-])/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** "run" → "running", "use" → "using". */
function formsOf(verb: string): string[] {
  if (/[^aeiouy]e$/.test(verb)) return [`${verb.slice(0, -1)}ing`];
  const doubled =
    /^(?:[^aeiou]*[aeiou][^aeiouwxy])$/.test(verb) ||
    /(?:submit|control|format|debug|plan|wrap|commit|reset|begin)$/.test(verb);
  return doubled ? [`${verb}${verb.at(-1)}ing`, `${verb}ing`] : [`${verb}ing`];
}
