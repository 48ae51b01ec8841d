// A word of Korean carries what other languages say with prepositions and endings of verbs: 데이터베이스를, 데이터베이스에서는 and
// 데이터베이스 are found by each other only where that is taken off. What is taken off too much is so everywhere.

/** Hangul alone; shorter words have nothing to lose. */
const HANGUL = /^[가-힣]{3,}$/;
const LATIN_WITH_HANGUL = /^(.*[A-Za-z\d+#])([가-힣]+)$/s;
const PARTICLE =
  /(?:에게서|으로써|으로서|이라는|에서|에게|한테|으로|까지|부터|처럼|보다|마다|밖에|조차|마저|이란|라는|이나|이랑|이라|들|은|는|이|가|을|를|의|에|로|와|과|도|만|란|께)$/;
/** Of verbs that are made of nouns: 설치하는, 설치됩니다. */
const VERB =
  /(?:(?:하|되|시키)(?:는지|는가|는데|려면|려고|도록|세요|십시오|나요|는|기|다|고|여|며|면|지|던|게|였다|였습니다|었다|었습니다)|합니다|됩니다|합니까|됩니까|했습니다|됐습니다|시킵니다|해주세요|한다|된다|했다|됐다|해서|해야|했던|할|한|된|될|해)$/;
const LEFT_MIN = 2;
const ENDINGS_MAX = 4;

/** A word of Korean without its endings, as far as it stays a word. */
export function koreanStem(word: string): string {
  if (!HANGUL.test(word)) return word;
  let stem = word;
  for (let count = 0; count < ENDINGS_MAX; count++) {
    const shorter = [VERB, PARTICLE].map((ending) => stem.replace(ending, "")).find((each) => each !== stem);
    if (shorter === undefined || shorter.length < LEFT_MIN) break;
    stem = shorter;
  }
  return stem;
}

/** A name in Latin letters with what Korean writes behind it without a space: `Docker를`, `API문서`. */
export function latinWithHangul(token: string): { latin: string; hangul: string } | undefined {
  const [, latin, hangul = ""] = LATIN_WITH_HANGUL.exec(token) ?? [];
  if (latin === undefined) return undefined;
  let rest = hangul;
  for (let shorter = ""; rest !== ""; rest = shorter) {
    shorter = rest.replace(PARTICLE, "");
    if (shorter === rest) break;
  }
  return { latin, hangul: rest };
}
