/** A number in a text, with its unit. */
export interface Quantity {
  /** Its possible values in the unit's base: `1,024` may be a thousand and more, or about one. */
  values: number[];
  /** What is measured; undefined of a bare number. */
  unit: Unit | undefined;
  /** The number as it is written, without its unit. */
  written: string;
  /** Whether it is said to be the least or the most. */
  bound: "least" | "most" | undefined;
  /** The place of its first character, and of that behind its unit. */
  at: number;
  end: number;
}

type Unit = "time" | "bytes" | "share";

/** The names of units, in the languages that answers are most often written in, with what each is in seconds or bytes. */
const UNITS: readonly [unit: Unit, scales: readonly number[], names: string][] = [
  ["time", [0.001], "ms|msecs?|milliseconds?|Millisekunden?|millisecondes?|milisegundos?|毫秒|ミリ秒|мс"],
  ["time", [1], "s|secs?|seconds?|Sekunden?|secondes?|segundos?|secondi|秒钟?|초|секунд[аыу]?"],
  ["time", [60], "min|mins|minutes?|Minuten?|minutos?|minuti|分钟|分鐘|分|분|минут[аыу]?"],
  ["time", [3600], "h|hrs?|hours?|Stunden?|heures?|horas?|小时|小時|時間|시간|час(?:а|ов)?"],
  ["time", [86_400], "d|days?|Tag(?:e[ns]?)?|jours?|días?|giorni|天|日|일|дн(?:я|ей)|день"],
  ["time", [604_800], "weeks?|Wochen?|semaines?|semanas?|settimane|周|週|星期|недел[ьюяи]"],
  ["time", [2_592_000], "months?|Monat(?:e[ns]?)?|mois|mes(?:es)?|个月|個月|か月|месяц(?:а|ев)?"],
  ["time", [31_536_000], "years?|Jahr(?:e[ns]?)?|ans|années?|años?|年|лет|года?"],
  ["time", [60, 1], "m"],
  ["bytes", [1], "bytes?|octets?|字节|байта?"],
  ["bytes", [1e3, 1024], "KB|kB|KiB|kilobytes?"],
  ["bytes", [1e6, 1_048_576], "MB|MiB|megabytes?|兆字节"],
  ["bytes", [1e9, 1_073_741_824], "GB|GiB|gigabytes?"],
  ["bytes", [1e12, 1_099_511_627_776], "TB|TiB|terabytes?"],
  ["share", [1], "%|percent|per cent|Prozent|pour cent|por ciento"],
];
const NUMBER_WORDS: readonly (readonly [number, string])[] = [
  [2, "two|zwei|deux"],
  [3, "three|drei|trois|tres"],
  [4, "four|vier|quatre|cuatro"],
  [5, "five|fünf|cinq|cinco"],
  [6, "six|sechs|seis"],
  [7, "seven|sieben|siete"],
  [8, "eight|acht|huit|ocho"],
  [9, "nine|neun|neuf|nueve"],
  [10, "ten|zehn|diez"],
  [11, "eleven|elf|onze"],
  [12, "twelve|zwölf|douze|doce"],
  [13, "thirteen|dreizehn|treize|trece"],
  [14, "fourteen|vierzehn|quatorze|catorce"],
  [15, "fifteen|fünfzehn|quinze|quince"],
  [16, "sixteen|sechzehn|seize|dieciséis"],
  [17, "seventeen|siebzehn|diecisiete"],
  [18, "eighteen|achtzehn|dieciocho"],
  [19, "nineteen|neunzehn|diecinueve"],
  [40, "forty|vierzig|quarante|cuarenta"],
  [70, "seventy|siebzig"],
  [80, "eighty|achtzig|ochenta"],
  [90, "ninety|neunzig|noventa"],
  [20, "twenty|zwanzig|vingt|veinte"],
  [30, "thirty|dreißig|trente|treinta"],
  [50, "fifty|fünfzig|cinquante|cincuenta"],
  [60, "sixty|sechzig|soixante|sesenta"],
  [100, "hundred|hundert"],
  [1000, "thousand|tausend|mille"],
];
const HALF = "half an?|halbe[nr]?|une? demi-|media|半个?";
/** A number that is left open. */
const FEW = "few|several|einigen?|wenigen?|paar|mehreren?|quelques|plusieurs|unos|unas|varios|几个?|数";
/** A unit by itself is one of it: "once a second". */
const ONE =
  "(?:(?:an?|one|any|each|every|per|eine[rmn]?|jede[rmns]?|pro|une?|par|una?|por|cada)[\\s-]|[每一]个?)";
const HAN = "[二两三四五六七八九十]";
const HAN_DIGITS = "〇一二三四五六七八九十";

const UNIT_NAME = UNITS.map(([, , names]) => names).join("|");
const WORD = NUMBER_WORDS.map(([, names]) => names).join("|");
const DIGITS = "[-−]?\\d+(?:[.,:]\\d+)*";
const QUANTITY = new RegExp(
  `(?<![A-Za-z\\d_.]|[A-Za-z_]-|/)(${DIGITS})(?:([kKM])(?![\\p{L}\\d]))?(?:[\\s\\u00a0-]?(${UNIT_NAME})(?![A-Za-zÀ-ÿ\\d_]))?(?![A-Za-z_]|\\.\\d)|` +
    `(?<![\\p{L}\\d_])(${WORD})(?![\\p{L}\\d_])(?:[\\s-](${UNIT_NAME})(?![A-Za-zÀ-ÿ\\d_]))?|` +
    `(?:(?<![\\p{L}\\d_])|(?=半))(${HALF})[\\s-]?(${UNIT_NAME})(?![A-Za-zÀ-ÿ\\d_])|` +
    `(?:(?<![\\p{L}\\d_])|(?=[几数]))(${FEW})[\\s-]?(${UNIT_NAME})(?![A-Za-zÀ-ÿ\\d_])|` +
    `(?:(?<![\\p{L}\\d_])|(?=[每一]))${ONE}(${UNIT_NAME})(?![A-Za-zÀ-ÿ\\d_])|` +
    `(${HAN})\\s?(${UNIT_NAME})`,
  "gu",
);

const TIMES = UNITS.filter(([unit, , names]) => unit === "time" && names !== "m").map(
  ([, scales, names]) => ({
    scale: scales[0] ?? 1,
    names: new RegExp(
      `(?<![A-Za-zÀ-ÿ\\d])(?:${names
        .split("|")
        .filter((name) => name.length > 2 || !/^[a-z]/i.test(name))
        .join("|")})(?![A-Za-zÀ-ÿ\\d])`,
      "iu",
    ),
  }),
);

/** The units of time that a text names, each by a pattern for its names. */
export const timesNamedIn = (text: string): RegExp[] =>
  TIMES.flatMap(({ names }) => (names.test(text) ? [names] : []));

/** The numbers of a text in order. */
export function quantitiesIn(text: string): Quantity[] {
  return [...text.matchAll(QUANTITY)].map((found) => {
    const [, digits, thousands, unit, word, wordUnit, half, halfUnit, few, fewUnit, one, han, hanUnit] =
      found;
    const written = digits ?? word ?? half ?? few ?? han ?? "";
    const bare = few === undefined ? valuesOf({ digits, word, half, one, han }) : [FEW_VALUE];
    const multiplied =
      thousands === undefined ? bare : bare.map((value) => value * (thousands === "M" ? 1e6 : 1e3));
    const measured = unitOf(unit ?? wordUnit ?? halfUnit ?? fewUnit ?? one ?? hanUnit);
    const scales = measured?.scales ?? [1];
    const values = multiplied.flatMap((value) => scales.map((scale) => value * scale));
    const bound = boundBefore(text.slice(Math.max(0, found.index - BOUND_CHARACTERS), found.index));
    return {
      values,
      bound,
      unit: measured?.unit,
      written,
      at: found.index,
      end: found.index + found[0].length,
    };
  });
}

/** No number that is written is like this. */
const FEW_VALUE = 0.123_456;

const BOUND_CHARACTERS = 24;
const LEAST =
  /(?:at least|no less than|no fewer than|minimum(?: of)?|mindestens|au moins|como mínimo|至少|最少|以上)\s*$/iu;
const MOST =
  /(?:at most|up to|no more than|maximum(?: of)?|höchstens|maximal|bis zu|au plus|jusqu['’]à|como máximo|hasta|最多|至多)\s*$/iu;

function boundBefore(text: string): Quantity["bound"] {
  if (LEAST.test(text)) return "least";
  return MOST.test(text) ? "most" : undefined;
}

function unitOf(name: string | undefined): { unit: Unit; scales: readonly number[] } | undefined {
  if (name === undefined) return undefined;
  for (const [unit, scales, pattern] of PATTERNS) if (pattern.test(name)) return { unit, scales };
  return undefined;
}

const PATTERNS = UNITS.map(
  ([unit, scales, names]) => [unit, scales, new RegExp(`^(?:${names})$`, "u")] as const,
);
const WORDS = new Map(
  NUMBER_WORDS.flatMap(([value, names]) => names.split("|").map((name) => [name, value] as const)),
);

function valuesOf(
  found: Partial<Record<"digits" | "word" | "half" | "one" | "han", string | undefined>>,
): number[] {
  const { digits, word, half, one, han } = found;
  if (half !== undefined) return [0.5];
  if (word !== undefined) return [WORDS.get(word) ?? Number.NaN];
  if (han !== undefined) return [han === "两" ? 2 : HAN_DIGITS.indexOf(han)];
  if (digits === undefined) return one === undefined ? [] : [1];
  return readDigits(digits.replace("−", "-"));
}

/** The values that a number may have: a comma or a point parts thousands, or decimals. */
function readDigits(digits: string): number[] {
  if (/^-?\d+$/.test(digits)) return [Number(digits)];
  const values: number[] = [];
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) values.push(Number(digits.replaceAll(",", "")));
  if (/^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(digits))
    values.push(Number(digits.replaceAll(".", "").replace(",", ".")));
  if (/^-?\d+\.\d+$/.test(digits)) values.push(Number(digits));
  if (/^-?\d+,\d+$/.test(digits)) values.push(Number(digits.replace(",", ".")));
  return values;
}

const NEAR = 1e-6;
const near = (a: number, b: number) => Math.abs(a - b) <= NEAR * Math.max(1, Math.abs(a), Math.abs(b));

/** The names of the unit that makes a bare number the same as one of a unit. */
export function unitBetween(bare: Quantity, measured: Quantity): RegExp | undefined {
  if (bare.unit !== undefined || measured.unit !== "time") return undefined;
  return TIMES.find(({ scale }) => bare.values.some((a) => measured.values.some((b) => near(a * scale, b))))
    ?.names;
}

/** Whether two numbers are the same, however they are written. A bare one may be of the other's unit. */
export function isSame(one: Quantity, other: Quantity): boolean {
  if (one.values.length === 0 || other.values.length === 0) return one.written === other.written;
  if (one.unit === other.unit) return one.values.some((a) => other.values.some((b) => near(a, b)));
  if (one.unit !== undefined && other.unit !== undefined) return false;
  return near(plainOf(one), plainOf(other));
}

/** The number without its unit. */
const plainOf = ({ written, values }: Quantity): number =>
  readDigits(written)[0] ?? WORDS.get(written) ?? values[0] ?? Number.NaN;
