import { describe, expect, test } from "bun:test";
import {
  analyze,
  analyzeQuestion,
  createAnalyzer,
  isStopWord,
  wordsOf,
} from "../../../src/finding/search/analyze.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { growthIn } from "../../helpers/growth.ts";
import { run } from "../../helpers/hostile-text.ts";

const TERMS: [name: string, text: string, terms: string[]][] = [
  ["words are folded and stemmed", "Installing the Servers", ["instal", "the", "server"]],
  ["accents are folded", "Größe naïve CAFÉ Ελλάδα", ["gross", "naiv", "cafe", "ελλαδ"]],
  [
    "letters that are no plain ones with a mark are typed as such",
    "sürükle bırak IŞIK đăng Łódź Straße œuvre Ærø þing",
    ["surukl", "birak", "isik", "dang", "lodz", "strass", "oeuvr", "aero", "thing"],
  ],
  [
    "what Korean writes behind a word is no part of it",
    "데이터베이스를 데이터베이스에서는 데이터베이스 플러그인들은 설치하는 설치됩니다 설치 경로 파일",
    ["데이터베이스", "데이터베이스", "데이터베이스", "플러그인", "설치", "설치", "설치", "경로", "파일"],
  ],
  [
    "what Russian, Greek, Arabic and Hindi put behind or before a word is no part of it",
    "настройки настройками файл файлов εγκατάσταση εγκαταστάσεις الخادم خادم सर्वर सर्वरों",
    ["настроик", "настроик", "фаил", "фаил", "εγκαταστασ", "εγκαταστασ", "خادم", "خادم", "सर्वर", "सर्वर"],
  ],
  [
    "a word of several parts is found by the forms of each",
    "веб-сервером",
    ["веб-сервером", "вебсервер", "веб", "сервер"],
  ],
  [
    "Persian, which has letters of its own in Arabic script, keeps its words",
    "گزینه‌ها پرونده",
    ["گزينه", "ها", "پرونده"],
  ],
  [
    "a name in Korean is found without what is behind it, and a word behind it is one",
    "Docker를 GitHub에서는 API문서를 npm으로",
    ["docker", "github", "git", "hub", "api", "문서", "npm"],
  ],
  ["a decomposed accent is the same", "nai\u0308ve", ["naiv"]],
  ["a final sigma is a sigma", "εκκλησίας ΕΚΚΛΗΣΙΑΣ εκκλησιασ", ["εκκλησι", "εκκλησι", "εκκλησι"]],
  [
    "places where a word may be broken are no part of it",
    "docu\u00admenta\u00adtion get\u200b_x w\u2060ord\ufeff",
    ["document", "get_x", "getx", "get", "x", "word"],
  ],
  ["an invisible space parts words where no other does", "ភាសា\u200bខ្មែរ", analyze("ភាសា ខ្មែរ")],
  ["digits of every script are the same", "۱۲۳ ١٢٣ १२३ v٢", ["123", "123", "123", "v2"]],
  [
    "Arabic and Hebrew are found with their vowels and without",
    "كِتاب كتــاب كتاب שָׁלוֹם שלום",
    ["كتاب", "كتاب", "كتاب", "שלום", "שלום"],
  ],
  ["Persian is found from an Arabic keyboard", "كتابی کتابي", ["كتاب", "كتاب"]],
  ["Hindi is found in both ways to spell it", "हिंदी हिन्दी फ़ाइल फाइल", ["हिंद", "हिंद", "फाइल", "फाइल"]],
  ["ligatures and wide letters are what they stand for", "ﬁle ＡＢＣ", ["file", "abc"]],
  ["marks that are letters of their own stay", "कि", ["कि"]],
  ["numbers are words", "port 4747", ["port", "4747"]],
  [
    "a sentence's marks are no part of its words",
    "Stop! (Really?) Yes, stop.",
    ["stop", "realli", "ye", "stop"],
  ],
  ["nothing has no terms", "", []],
  ["marks alone have no terms", "--- ... *** / @ # $ _ «»", []],
  [
    "snake_case: whole and in parts",
    "max_retry_count",
    ["max_retry_count", "maxretrycount", "max", "retri", "count"],
  ],
  ["camelCase: whole and in parts", "useChatStream", ["usechatstream", "us", "chat", "stream"]],
  ["PascalCase with an abbreviation", "HTTPServerURL", ["httpserverurl", "http", "server", "url"]],
  ["a flag: whole and in parts", "--dry-run", ["--dry-run", "dryrun", "dry", "run"]],
  ["a short flag", "-v", ["-v", "v"]],
  ["a file name", "package.json", ["package.json", "packag", "json"]],
  ["a file name at a sentence's end", "Edit package.json.", ["edit", "package.json", "packag", "json"]],
  ["an error code", "E1234", ["e1234"]],
  ["a version", "v1.2.3", ["v1.2.3", "v1", "2", "3"]],
  [
    "an operator of code",
    "a && b->c, operator << or operator==",
    ["a", "&&", "b", "->", "c", "operator<<", "oper", "or", "operator==", "oper"],
  ],
  ["rules and dashes are no operators", "a -- b --- *** ===== ??", ["a", "b"]],
  ["a standard with its number", "C++17", ["c++17", "c++", "17"]],
  ["languages whose names end in marks", "C++ C# F#", ["c++", "c#", "f#"]],
  ["a package with a scope", "@ai-sdk/react", ["@ai-sdk/react", "aisdk", "ai", "sdk", "react"]],
  ["a variable", "$HOME", ["$home", "home"]],
  [
    "an environment variable",
    "DOCENT_LOG_LEVEL",
    ["docent_log_level", "docentloglevel", "docent", "log", "level"],
  ],
  ["a path", "/etc/docent/config", ["/etc/docent/config", "etc", "docent", "config"]],
  ["a dunder", "__init__", ["__init__", "init"]],
  ["a qualified name", "std::vector", ["std::vector", "std", "vector"]],
  ["Chinese in pairs", "数据库", ["数据", "据库"]],
  ["Japanese in pairs", "データベース", ["デー", "ータ", "タベ", "ベー", "ース"]],
  ["Thai by words and in threes", "ภาษาไทย", ["ภาษา", "ไทย", "ภาษ", "าษา", "ษาไ", "าไท"]],
  ["one character is a term", "库", ["库"]],
  ["characters beyond the first plane are whole", "𠮷野家", ["𠮷野", "野家"]],
  ["scripts in one word are cut apart", "Docker教程", ["教程", "docker"]],
  ["Korean is written in words", "데이터베이스 설정", ["데이터베이스", "설정"]],
];

describe("analyze", () => {
  for (const [name, text, terms] of TERMS) {
    test(name, () => {
      expect(analyze(text)).toEqual(terms);
    });
  }

  const FOUND: [name: string, question: string, text: string][] = [
    ["an identifier typed in lower case", "maxretries", "Set maxRetries to 3"],
    ["an identifier's parts", "max retries", "Set maxRetries to 3"],
    ["another number of the word", "servers", "one server"],
    ["a flag without its dashes", "dry run", "Use --dry-run"],
    ["a file's name without its extension", "package", "package.json"],
    ["an error code in lower case", "e1234", "Error E1234: no disk"],
    ["accents that were not typed", "grosse cafe", "un café"],
    ["a part of a Chinese word", "数据", "数据库连接"],
    ["the snake_case of the text, as it is", "log_level", "Set log_level."],
  ];
  for (const [name, question, text] of FOUND) {
    test(`finds ${name}`, () => {
      const inText = new Set(analyze(text));
      expect(analyzeQuestion(question).some((term) => inText.has(term))).toBe(true);
    });
  }

  test("no term has a space or a quote in it: the index is cut at spaces", () => {
    const text = `${TERMS.map(([, each]) => each).join(" \u00A0\u3000\t")} "quoted" 'single' \u0000 \uD800 a\u200Bb`;
    expect(analyze(text).filter((term) => /[\s"'\p{C}]/u.test(term) || term === "")).toEqual([]);
  });

  test("a long path is found by its parts, and not kept whole", () => {
    const path = `com.example.${"package.".repeat(8)}retentionPolicy.DefaultArchiver`;
    const terms = analyze(path);
    for (const word of ["retention", "archiver"])
      expect(terms).toEqual(expect.arrayContaining(analyze(word)));
    expect(terms.every((term) => term.length < path.length)).toBe(true);
  });

  test("a token that no one would type is not indexed", () => {
    expect(analyze(`before ${"x".repeat(65)} after`)).toEqual(["befor", "after"]);
    expect(analyze("x".repeat(64))).toEqual(["x".repeat(64)]);
  });
});

describe("analyze: in time that grows with the text alone", () => {
  const SIZES = { from: 25_000, to: 400_000 };
  const GARBAGE: [name: string, piece: string][] = [
    ["dashes", "-"],
    ["dots", "."],
    ["marks that may begin a word", "-.@#/$_"],
    ["underscores", "_"],
    ["letters", "a"],
    ["letters with dots", "a."],
    ["letters with underscores", "a_"],
    ["changing case", "aB"],
    ["plus signs", "a+"],
    ["combining marks", "\u0301"],
    ["letters with combining marks", "a\u0301"],
    ["Chinese", "数"],
    ["Thai with marks", "ติ"],
    ["Chinese and Latin by turns", "数a"],
    ["lone surrogates", "\uD800"],
    ["NUL", "\u0000"],
    ["emoji", "\u{1F600}"],
    ["spaces", " "],
    ["words", "word "],
    ["dashes with spaces", "---- "],
  ];
  for (const [name, piece] of GARBAGE) {
    test(name, async () => {
      expect(await growthIn(analyze, [run(piece)], SIZES)).toEqual([]);
    });
  }
});

describe("the terms of a question", () => {
  test("each term is there once", () => {
    expect(analyzeQuestion("zebra Zebra zebras")).toEqual(["zebra"]);
  });

  test("words that every question has are left out", () => {
    expect(analyzeQuestion("How do I install the server?")).toEqual(["instal", "server"]);
  });

  test("a question of nothing but such words keeps them", () => {
    expect(analyzeQuestion("how to do this").length).toBeGreaterThan(0);
  });

  test("stop words are known as they are indexed", () => {
    for (const word of ["the", "does", "doing", "this", "using", "please", "was"]) {
      for (const term of analyze(word)) expect([word, isStopWord(term)]).toEqual([word, true]);
    }
  });

  test("words that tell something are no stop words", () => {
    for (const word of ["install", "error", "port", "version", "run", "c++", "api", "set"]) {
      for (const term of analyze(word)) expect([word, isStopWord(term)]).toEqual([word, false]);
    }
  });
});

describe("cut part by part", () => {
  const FRAGMENTS = [
    ..."abZ019 \n\t,.;:_-+*/%<>=!&|~^?@#$()[]{}\"'`\\éß漢字かなไทย　’—…😀\u0301\u00a0ﬁ",
    ..."operator|OPERATOR|Operator|::operator|std::vector|--dry-run|snake_case|camelCase|v1.2.3|C++17|e.g.".split(
      "|",
    ),
    ..."package.json|https://a.example/b?c=d|E1234|Größe|naïve|word|words|Word|the|…|−|﹘|x".split("|"),
    "y".repeat(70),
  ];

  /** The terms and words of a text, as they are told part by part. */
  function reading() {
    const all: string[] = [];
    const numberOf = (text: string) => all.push(text) - 1;
    const read = createAnalyzer(({ terms, words }) => [
      terms.length,
      ...terms.map(numberOf),
      ...words.map(numberOf),
    ]);
    return (text: string) => {
      const found = { terms: [] as string[], words: [] as string[] };
      read(text, (numbers, from, end) => {
        const wordsFrom = from + 1 + (numbers[from] ?? 0);
        for (let at = from + 1; at < end; at++)
          (at < wordsFrom ? found.terms : found.words).push(all[numbers[at] ?? 0] ?? "?");
      });
      return found;
    };
  }

  test.each([1, 2, 3])("any text has the terms and words that it has as a whole (seed %p)", (seed) => {
    const random = seededRandom(seed);
    const read = reading();
    for (let round = 0; round < 3000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 12) },
        () => FRAGMENTS[Math.floor(random() * FRAGMENTS.length)] ?? "",
      ).join("");
      const words = wordsOf(text).flatMap((word) => word.words);
      expect([text, read(text)]).toEqual([text, { terms: analyze(text), words }]);
    }
  });
});
