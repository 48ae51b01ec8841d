import { describe, expect, test } from "bun:test";
import { languageOf, spokenLanguageOf } from "../../../src/kernel/text/language-of.ts";

describe("the language of a text", () => {
  for (const [language, text] of [
    ["en", "The server keeps what was asked, and you can read it in the dashboard."],
    ["de", "Der Server behält, was gefragt wurde, und man kann es in der Übersicht lesen."],
    [
      "fr",
      "Le serveur garde les questions qui sont posées, et vous pouvez les lire dans le tableau de bord.",
    ],
    ["es", "El servidor guarda lo que se pregunta, y puede leerlo en el panel."],
    ["it", "Il server conserva le domande che sono state fatte, e si possono leggere nel pannello."],
    ["pt", "O servidor guarda o que foi perguntado, e você pode ler as perguntas no painel."],
    ["nl", "De server bewaart wat er is gevraagd, en je kunt het in het overzicht lezen."],
    [
      "fi",
      "Palvelin tallentaa kysymykset, ja niitä voi lukea hallinnasta, kun se on käynnissä, tai jos se ei ole.",
    ],
    ["hu", "A kiszolgáló megőrzi a kérdéseket, és ezt az áttekintésben meg lehet nézni, ha az már fut."],
    ["ja", "サーバーは質問を保存します。ダッシュボードで読めます。"],
    ["zh", "服务器会保存所提的问题，您可以在控制面板中阅读。"],
    ["ru", "Сервер хранит вопросы, и их можно прочитать в панели PostgreSQL."],
    ["ko", "서버는 질문을 저장하며 대시보드에서 읽을 수 있습니다."],
  ] as const)
    test(`is known by its frequent words or its script: ${language}`, () =>
      expect(languageOf(text)).toBe(language));

  for (const [language, text] of [
    ["en", "is there a limit of requests per user in a day"],
    ["en", "Create a button and run a command in a terminal on click"],
    ["it", "come si installa in un server e con la configurazione di una rete"],
    ["zh", "怎么用 docker compose 安装 ntfy？"],
    ["ja", "Docker Compose で ntfy を使う"],
  ] as const)
    test(`is known of a question, also one of few words that other languages have too, or full of names: ${text}`, () =>
      expect(languageOf(text)).toBe(language));

  for (const text of [
    "",
    "Units: 1s 2s 4s, 3a 4z, 0 = kB/s",
    "docent serve --port 8080",
    "PostgreSQL",
    "```py\nfor the_of in to_and: is_the(a)\n```",
    "nginx.conf",
  ])
    test(`is not guessed from names or code: "${text.slice(0, 20)}"`, () =>
      expect(languageOf(text)).toBeUndefined());

  test("is read from the text around code, whatever the code's words are", () => {
    const code = "```js\n// the of and to is are that with for this be on as it you can when\n```";
    expect(languageOf(`Die Einstellung ist nicht gesetzt, und das steht so in der Datei.\n\n${code}`)).toBe(
      "de",
    );
  });
});

describe("the language of Docent's own words that a text is in", () => {
  for (const [language, text] of [
    ["zh-Hant", "如何設定這個伺服器的連接埠？"],
    ["zh", "如何设置这个服务器的端口？"],
    ["uk", "Як встановити сервер і змінити його порт?"],
    ["ru", "Как установить сервер и изменить его порт?"],
    ["pt-BR", "O que é preciso para não usar o servidor?"],
    ["ar", "كيف أثبّت الخادم؟"],
    ["hi", "सर्वर कैसे स्थापित करें?"],
  ] as const)
    test(`is ${language}`, () => expect(spokenLanguageOf(text)).toBe(language));

  test("is none where there are no words in it", () => {
    expect(spokenLanguageOf("چگونه سرور را نصب کنم؟")).toBeUndefined();
    expect(spokenLanguageOf("Πώς εγκαθιστώ τον διακομιστή;")).toBeUndefined();
    expect(spokenLanguageOf("nginx.conf")).toBeUndefined();
  });
});
