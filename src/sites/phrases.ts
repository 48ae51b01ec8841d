/** The sentences of Docent's own that an owner may put into other words. What they say stands below. */
export const PHRASE_NAMES = [
  "quoting",
  "touching",
  "notCovered",
  "nearest",
  "contact",
  "failed",
  "sources",
  "pageNotFound",
] as const;

type PhraseName = (typeof PHRASE_NAMES)[number];

/**
 * Docent's own sentences: everything a reader is told that neither the docs nor a model wrote. `quoting` stands before
 * quotes, `touching` before pages that only touch on a question, `nearest` before pages that may help where the docs do not answer, `contact` before the owner's, `sources` before links to what an answer rests on, `failed` is said of an answer that broke off.
 */
export type Phrases = Readonly<Record<PhraseName, string>>;

const ENGLISH: Phrases = {
  quoting: "This is what the documentation says, word for word:",
  touching: "The documentation only touches on this. Have a look at these pages:",
  notCovered: "The documentation doesn't cover this.",
  nearest: "These pages come nearest:",
  contact: "You can ask here:",
  failed: "The answer broke off because of a problem on the server. Please try again.",
  sources: "Sources:",
  pageNotFound: "There is no such page, or the link to it has expired.",
};

const PHRASES: Record<string, Phrases> = {
  en: ENGLISH,
  de: {
    quoting: "Das steht wörtlich in der Dokumentation:",
    touching: "Die Dokumentation geht darauf nur am Rande ein. Sehen Sie auf diesen Seiten nach:",
    notCovered: "Die Dokumentation sagt dazu nichts.",
    nearest: "Diese Seiten kommen dem am nächsten:",
    contact: "Hier können Sie nachfragen:",
    failed:
      "Die Antwort ist wegen eines Fehlers auf dem Server abgebrochen. Bitte versuchen Sie es noch einmal.",
    sources: "Quellen:",
    pageNotFound: "Diese Seite gibt es nicht, oder der Link ist abgelaufen.",
  },
  fr: {
    quoting: "Voici ce que dit la documentation, mot pour mot :",
    touching: "La documentation ne fait qu’effleurer ce sujet. Consultez ces pages :",
    notCovered: "La documentation n’aborde pas ce sujet.",
    nearest: "Les pages les plus proches :",
    contact: "Vous pouvez poser votre question ici :",
    failed: "La réponse s’est interrompue à cause d’un problème sur le serveur. Veuillez réessayer.",
    sources: "Sources :",
    pageNotFound: "Cette page n’existe pas, ou le lien a expiré.",
  },
  es: {
    quoting: "Esto es lo que dice la documentación, palabra por palabra:",
    touching: "La documentación solo menciona este tema de pasada. Consulte estas páginas:",
    notCovered: "La documentación no trata este tema.",
    nearest: "Las páginas más cercanas:",
    contact: "Puede preguntar aquí:",
    failed: "La respuesta se interrumpió por un problema en el servidor. Inténtelo de nuevo.",
    sources: "Fuentes:",
    pageNotFound: "Esta página no existe o el enlace ha caducado.",
  },
  zh: {
    quoting: "以下内容逐字引自文档：",
    touching: "文档中对此只是略有提及，请查看以下页面：",
    notCovered: "文档中没有相关内容。",
    nearest: "最接近的页面：",
    contact: "您可以在这里提问：",
    failed: "服务器出现问题，回答中断。请重试。",
    sources: "来源：",
    pageNotFound: "该页面不存在，或链接已过期。",
  },
  ja: {
    quoting: "ドキュメントからの引用です：",
    touching: "この件についてドキュメントでは簡単に触れられているだけです。次のページをご覧ください：",
    notCovered: "この件についてはドキュメントに記載がありません。",
    nearest: "関連がありそうなページ：",
    contact: "お問い合わせ先：",
    failed: "サーバーの問題により回答が中断されました。もう一度お試しください。",
    sources: "出典：",
    pageNotFound: "このページは存在しないか、リンクの有効期限が切れています。",
  },
};

/** All of them, by the first part of a language's tag. */
export const phrasesByLanguage = (): Record<string, Phrases> => ({ ...PHRASES });

/** The sentences of a language (`de-AT` is `de`; one that is not here is English), with an owner's own in their place. */
export function phrasesFor(
  language: string,
  own: Readonly<Partial<Record<PhraseName, string>>> = {},
): Phrases {
  const first = language.toLowerCase().split("-")[0] ?? "";
  const base = (Object.hasOwn(PHRASES, first) ? PHRASES[first] : undefined) ?? ENGLISH;
  const replaced = Object.entries(own).filter(([, text]) => text !== "");
  return { ...base, ...Object.fromEntries(replaced) };
}

/** What is said in return to a reader who asks nothing of the docs. */
interface Courtesies {
  greeting: string;
  thanks: string;
  /** Who answers. */
  self: string;
  /** To a text without a word. */
  empty: string;
}

const ENGLISH_COURTESIES: Courtesies = {
  greeting: "Hello! What would you like to know? I look it up in the documentation.",
  thanks: "You’re welcome. Just ask if anything else is unclear.",
  self: "I’m a program that answers questions from this documentation, with links to where it says so.",
  empty: "Please write what you would like to know, in a few words.",
};

const COURTESIES: Record<string, Courtesies> = {
  en: ENGLISH_COURTESIES,
  de: {
    greeting: "Hallo! Was möchten Sie wissen? Ich schlage es in der Dokumentation nach.",
    thanks: "Gern geschehen. Fragen Sie einfach, wenn noch etwas unklar ist.",
    self: "Ich bin ein Programm, das Fragen aus dieser Dokumentation beantwortet, mit Links zur jeweiligen Stelle.",
    empty: "Bitte schreiben Sie in ein paar Worten, was Sie wissen möchten.",
  },
  fr: {
    greeting: "Bonjour ! Que souhaitez-vous savoir ? Je cherche dans la documentation.",
    thanks: "Avec plaisir. N’hésitez pas si autre chose n’est pas clair.",
    self: "Je suis un programme qui répond aux questions à partir de cette documentation, avec des liens vers les passages.",
    empty: "Écrivez en quelques mots ce que vous souhaitez savoir.",
  },
  es: {
    greeting: "¡Hola! ¿Qué desea saber? Lo busco en la documentación.",
    thanks: "De nada. Pregunte si algo más no queda claro.",
    self: "Soy un programa que responde preguntas a partir de esta documentación, con enlaces a cada pasaje.",
    empty: "Escriba en pocas palabras lo que desea saber.",
  },
  zh: {
    greeting: "您好！您想了解什么？我会在文档中查找。",
    thanks: "不客气。如果还有不清楚的地方，请随时提问。",
    self: "我是根据本文档回答问题的程序，并附上出处链接。",
    empty: "请用几个词写下您想了解的内容。",
  },
  ja: {
    greeting: "こんにちは。何をお調べしますか。ドキュメントから探します。",
    thanks: "どういたしまして。ほかにも不明な点があればお尋ねください。",
    self: "このドキュメントをもとに、出典へのリンクを付けて質問に答えるプログラムです。",
    empty: "知りたいことを短い言葉でお書きください。",
  },
};

/** The courtesies of a language; English where there are none in it. */
export function courtesiesFor(language: string): Courtesies {
  const first = language.toLowerCase().split("-")[0] ?? "";
  return (Object.hasOwn(COURTESIES, first) ? COURTESIES[first] : undefined) ?? ENGLISH_COURTESIES;
}
