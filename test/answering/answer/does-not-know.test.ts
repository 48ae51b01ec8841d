import { describe, expect, test } from "bun:test";
import { doesNotKnow } from "../../../src/answering/answer/unanswered/unanswered.ts";
import { phrasesFor } from "../../../src/sites/site/phrases.ts";

const NOT_COVERED = phrasesFor("en").notCovered;

const REFUSALS = [
  NOT_COVERED,
  `${NOT_COVERED} [1]`,
  `I'm sorry, but the documentation doesn't cover this.`,
  "The documentation does not say.",
  "The documentation does not say how to deploy Acme on a mainframe.",
  "The provided passages do not contain any information about pricing.",
  "The passages don't mention Windows [2].",
  "The documentation doesn't specify a maximum file size [1][3].",
  "I don't know.",
  "I do not have enough information to answer this question.",
  "I cannot find information about that in the documentation.",
  "I could not find an answer to your question. Please contact the support team for more information.",
  "Sorry, I'm unable to answer that from the passages.",
  "There is no information about refunds in the docs.",
  "There is no mention of Kubernetes in the provided context.",
  "Pricing is not mentioned in the documentation.",
  "Unfortunately, this isn't covered in the docs. Could you rephrase the question?",
  "The context provides no details about that. However, you can ask the community forum for more information.",
  "The provided text does not answer the question.",
  "Based on the passages, I cannot determine which version is meant.",
  phrasesFor("de").notCovered,
  "Die Dokumentation enthält keine Informationen zu Preisen.",
  "In der Dokumentation wird das nicht beschrieben.",
  "Dazu steht in der Dokumentation nichts.",
  "Leider kann ich diese Frage nicht beantworten.",
  "Das weiß ich nicht.",
  "Die Passagen erwähnen Windows nicht [1].",
  phrasesFor("fr").notCovered,
  "La documentation ne mentionne pas cette option.",
  "Je ne sais pas.",
  "Désolé, je ne trouve pas cette information.",
  "Les passages ne contiennent aucune information sur les tarifs.",
  "Il n’y a aucune information à ce sujet dans la documentation.",
  phrasesFor("es").notCovered,
  "La documentación no menciona esa opción.",
  "No lo sé.",
  "Lo siento, no encuentro información sobre eso.",
  "No hay información sobre precios en la documentación.",
  "Los pasajes no especifican el tamaño máximo [2].",
  phrasesFor("zh").notCovered,
  "文档没有提到这个选项。",
  "抱歉，提供的内容中没有相关信息。",
  "我不知道。",
  "根据文档，无法确定最大文件大小。",
  phrasesFor("ja").notCovered,
  "ドキュメントには料金に関する情報がありません。",
  "申し訳ありませんが、わかりません。",
  "この件はドキュメントに記載されていません。詳しくはサポートにお問い合わせください。",
];

const ANSWERS = [
  "The docs don't mention Windows, but you can run the installer in WSL [1].",
  "The documentation does not mention a limit. Set `max_size` to bound it [2].",
  "You don't need to know the port: it is found by itself [1].",
  "Docent does not cover uploads of more than 5 MB; it answers 413 [1].",
  "If the docs do not cover the question, Docent says so and asks no model [1].",
  "When there is no information in the index, the search returns an empty array [2].",
  "No. The server does not have to run [1].",
  "The file is not found unless its folder is listed in `roots` [1].",
  "Pages without a title are not listed in the sitemap [3].",
  "The documentation folder does not need an index file [1].",
  "It isn't supported.",
  "Acme does not provide a Windows build [1].",
  "There is no limit on the number of sites [1].",
  "I don't know of a shorter way than `docent ingest` [1].\n\n```sh\ndocent ingest\n```",
  `${NOT_COVERED}\n\n1. Open the settings.\n2. Choose a model.`,
  "Questions that the docs do not answer are listed as gaps [1].",
  "Run the installer. It does not say anything when it succeeds [1].",
  "You can contact support through the chat [1].",
  "",
  "Die Dokumentation nennt keine Grenze, aber 500 Seiten wurden getestet [1].",
  "Wenn die Dokumentation nichts dazu sagt, antwortet Docent mit einem Satz [1].",
  "Nein, dafür ist kein Server nötig [1].",
  "La documentation ne mentionne pas Windows, mais l’installateur fonctionne sous WSL [1].",
  "Le serveur n’est pas nécessaire pour cette commande [1].",
  "Si la documentation ne répond pas, aucun modèle n’est appelé [1].",
  "La documentación no menciona Windows, pero puede usar WSL [1].",
  "No hay límite de sitios [1].",
  "Si no hay respuesta, se devuelve 404 [1].",
  "文档没有提到 Windows，但是可以使用 WSL [1]。",
  "如果文档中没有相关内容，系统会直接说明 [1]。",
  "不需要服务器 [1]。",
  "Windows については記載されていませんが、WSL で動作します [1]。",
  "サーバーは必要ありません [1]。",
  "該当するページがない場合は、404 が返されます [1]。",
];

describe("an answer that says no more than that it does not know", () => {
  for (const answer of REFUSALS) test(answer, () => expect(doesNotKnow(answer, NOT_COVERED)).toBe(true));

  test("in the owner's own words", () => {
    const own = "We have not written about this yet. Ask in the forum.";
    expect(doesNotKnow(own, own)).toBe(true);
    expect(doesNotKnow(`${own}\n\nRun \`acme up\` [1].`, own)).toBe(false);
  });
});

describe("an answer that states something, and is one", () => {
  for (const answer of ANSWERS)
    test(answer || "nothing", () => expect(doesNotKnow(answer, NOT_COVERED)).toBe(false));
});
