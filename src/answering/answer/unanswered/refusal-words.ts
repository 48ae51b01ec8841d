// Recognizes how models say, in the languages that Docent speaks, that the docs do not answer.

const list = (...parts: string[]) => `(?:${parts.join("|")})`;
const pattern = (...parts: string[]) => new RegExp(parts.join(""), "iu");

const EN_DOCS = list(
  "documentation",
  "docs",
  "passages?",
  "context",
  "information",
  "texts?",
  "sources?",
  "excerpts?",
  "material",
);
/** Excludes clauses that describe something else: "questions that the docs do not answer". */
const FREE = "(?<!\\b(?:that|which|what|whatever|where) (?:the |these |our |your )?)";
const EN_NOT = list("do(?:es)?(?: not|n[’']t)", "did(?: not|n[’']t)", "cannot", "can[’']t");
const EN_SAY =
  "(?:say|mention|cover|specify|contain|provide|describe|include|explain|address|state|discuss|answer|give|list|tell|have|detail|indicate|offer|talk|go into)";
const EN_TOLD =
  "(?:mentioned|covered|documented|described|specified|stated|addressed|discussed|explained|provided|included|answered|found|listed)";
const EN_KNOWLEDGE =
  "(?:information|mention|details?|reference|answer|documentation|instructions|data|context)";

const DE_DOCS = list(
  "Dokumentation",
  "Doku",
  "Passagen?",
  "Abschnitte?n?",
  "Textstellen",
  "Kontext",
  "Quellen",
  "Auszügen?",
  "Unterlagen",
);
const DE_NOT = "(?:nichts?|kein(?:e[nrms]?)?)";
const DE_SAY =
  "(?:sag(?:t|en)|steht|stehen|enth[aä]lt(?:en)?|enthalten|erwähn(?:t|en)|beschr(?:eibt|eiben|ieben)|nenn(?:t|en)|behandel(?:t|n)|geh(?:t|en)|gib(?:t)?|geben|mach(?:t|en)|liefer(?:t|n)|beantworte(?:t|n)|biete(?:t|n)|find(?:et|en)|erklär(?:t|en)|dokumentiert|abgedeckt|hervor)";

const FR_DOCS = list("documentation", "docs", "passages?", "contexte", "extraits?", "sources?", "textes?");
const FR_SAY =
  "(?:mentionn|précis|couvr|abord|contien|fourni|di[ts]|indiqu|décri|expliqu|trait|répond|parl|donn|comport|évoqu|couvert)";

const ES_DOCS = list("documentación", "docs", "pasajes?", "contexto", "fragmentos?", "fuentes?", "textos?");
const ES_SAY =
  "(?:mencion|especific|cubr|abord|conti?en|proporcion|dice|indica|describ|explica|trata|respond|habla|inclu|ofrec|detall)";

/** A clause that only says that the answer is missing. */
export const REFUSALS: readonly RegExp[] = [
  pattern(`${FREE}\\b${EN_DOCS}\\b[^.,]{0,60}\\b${EN_NOT}\\b\\s+(?:\\w+\\s+){0,2}${EN_SAY}\\b`),
  pattern(
    `\\b${EN_DOCS}\\b[^.,]{0,60}\\b(?:has|have|contains?|provides?|gives?|offers?|says?|includes?)\\s+(?:no\\b|nothing)`,
  ),
  pattern(`\\bI\\s+(?:do not|don[’']t)\\s+(?:know\\b|have\\s+(?:\\w+\\s+){0,3}${EN_KNOWLEDGE})`),
  pattern(
    "\\bI(?:[’']m| am| was)?\\s+(?:cannot|can[’']t|could(?: not|n[’']t)|unable to|not able to)\\s+(?:find|answer|locate|provide|determine|tell|say|help)\\b",
  ),
  pattern(`\\bI\\s+(?:found|have|see)\\s+(?:no|nothing)\\b`),
  pattern("\\bI(?:[’']m| am) not (?:sure|certain)\\b"),
  pattern(`\\bthere(?:[’']s| is| are| was) (?:no|not enough|not any)\\s+(?:\\w+\\s+){0,2}${EN_KNOWLEDGE}\\b`),
  pattern(`\\bthere(?:[’']s| is) nothing\\b[^.,]{0,40}\\b${EN_DOCS}\\b`),
  pattern(
    `^\\W*(?:no|not enough)\\s+(?:\\w+\\s+){0,2}${EN_KNOWLEDGE}\\b[^.,]{0,40}\\b(?:found|given|provided|available|${EN_DOCS})\\b`,
  ),
  pattern(
    `\\b(?:is|are|was|were)(?: not|n[’']t)\\s+(?:\\w+\\s+)?${EN_TOLD}\\s+(?:in|by|on)\\s+[^.,]{0,30}\\b${EN_DOCS}\\b`,
  ),
  pattern(
    `\\b(?:this|that|it|the question|your question)\\s+(?:is|cannot be|can[’']t be|is not|isn[’']t)\\s+(?:not\\s+)?(?:covered|answered|documented)\\W*$`,
  ),
  pattern("\\b(?:this|the) question (?:cannot|can[’']t) be answered\\b"),

  pattern(`\\b${DE_DOCS}\\b.{0,70}\\b${DE_NOT}\\b`, `(?<=\\b${DE_SAY}\\b.{0,90})`),
  pattern(`\\b${DE_DOCS}\\b.{0,70}\\b${DE_NOT}\\b.{0,60}\\b${DE_SAY}\\b`),
  pattern(`\\b(?:dazu|darüber|hierzu|hierüber)\\b.{0,40}\\b${DE_NOT}\\b`),
  pattern(
    "\\b(?:ich|mir)\\b.{0,20}\\b(?:weiß|kann|konnte|finde|fand|habe|liegen)\\b.{0,40}\\b(?:nicht (?:sagen|beantworten|finden|beurteilen)|nicht[.!]?$|keine (?:Information|Angabe|Antwort|Hinweis)|nichts (?:dazu|darüber|gefunden))",
  ),
  pattern(
    "\\b(?:weiß|kann) ich (?:(?:das|diese|Ihre|deine|Frage|leider|dazu) ){0,3}nicht(?: (?:beantworten|sagen|finden)|\\W*$)",
  ),
  pattern("\\bes gibt (?:dazu |hierzu )?keine (?:Information|Angabe|Hinweis)"),

  pattern(
    `\\b${FR_DOCS}\\b.{0,40}\\b(?:ne\\s|n[’'])\\s*(?:\\S+\\s+){0,2}?${FR_SAY}\\S*\\s+(?:\\S+\\s+){0,1}?(?:pas|rien|aucune?)(?!\\p{L})`,
  ),
  pattern(
    "\\bje (?:ne\\s|n[’'])\\s*(?:sais pas|trouve (?:pas|rien|aucune)|peux pas (?:répondre|trouver|dire)|dispose (?:pas|d[’']aucune)|connais pas|ai (?:pas|rien|aucune) (?:trouvé|d[’']information|information))",
  ),
  pattern("\\bje n[’']ai (?:pas|rien|trouvé aucune)\\b.{0,40}(?:information|trouvé|réponse)"),
  pattern(`\\b(?:il n[’']y a|aucune) (?:pas d[’']|aucune )?(?:information|mention|réponse|indication)`),
  pattern(
    `\\bn[’'](?:est|sont) pas\\s+(?:\\S+\\s)?(?:mentionné|couvert|documenté|précisé|abordé|décrit|expliqué|traité)\\S*\\s.{0,20}\\b${FR_DOCS}\\b`,
  ),

  pattern(`\\b${ES_DOCS}\\b.{0,40}\\bno\\s+(?:\\S+\\s+){0,2}?${ES_SAY}`),
  pattern(`\\b${ES_DOCS}\\b.{0,20}\\b(?:no dicen? nada|no hay)\\b`),
  pattern(
    "\\bno (?:lo )?(?:sé|encuentro|encontré|he encontrado|dispongo|tengo|puedo (?:responder|encontrar|decir))(?!\\p{L})(?:.{0,30}(?:información|respuesta|nada|pregunta)|\\W*$)",
  ),
  pattern("\\bno (?:hay|existe)\\s+(?:\\S+\\s+)?(?:información|mención|referencia|detalles)"),
  pattern(
    `\\bno se (?:menciona|especifica|describe|explica|indica|documenta|cubre)\\S*\\s.{0,30}\\b${ES_DOCS}\\b`,
  ),

  /(?:文档|文件|资料|上下文|段落|文中|提供的(?:信息|内容)).{0,20}(?:没有|沒有|未|并未|并没有|不).{0,14}(?:提及|提到|说明|涵盖|包含|涉及|相关|介绍|描述|找到|回答|信息|内容)/u,
  /(?:不知道|无法(?:回答|找到|确定|得知)|找不到(?:相关|有关|任何|答案)|(?:没有|未)(?:找到|发现)(?:任何|相关|有关))/u,

  /(?:ドキュメント|文書|資料|パッセージ|コンテキスト|文脈|提供された|この件|それについて).{0,40}(?:ありません|見つかりません|書かれていません|触れられていません|含まれていません|述べられていません|言及されていません|説明されていません|記載されていません|ないようです|載っていません)/u,
  /(?:わかりません|分かりません|お答えできません|回答できません|情報が見つかりません|情報はありません|情報がありません)/u,
];

/** Polite sentences that state nothing. */
export const COURTESIES: readonly RegExp[] = [
  /^\W*(?:I(?:[’']m| am)(?: very)? )?(?:sorry|apologi[sz]e|unfortunately|leider|tut mir leid|entschuldigung|désolée?|je suis désolée?|malheureusement|lo siento|lamentablemente|desafortunadamente|perdón|抱歉|很抱歉|对不起|申し訳(?:ありま|ござい)|すみません|残念ながら)[^.]{0,40}$/iu,
  /\b(?:please|you (?:may|might|can|could|should)|you[’']ll (?:need|have) to|I(?:[’']d)? (?:recommend|suggest|would)|try|consider)\b.*\b(?:support|team|forum|communit\w+|maintainers?|elsewhere|rephras\w+|clarif\w+|(?:more|further|additional|official) (?:information|details?|context|documentation|resources?))\b/iu,
  /\b(?:let me know|feel free|happy to help|hope this helps)\b/iu,
  /\b(?:bitte|Sie (?:können|könnten|sollten)|ich empfehle|wenden Sie sich)\b.*(?:Support|Team|Forum|weitere Informationen|genauer|umformulieren|Kundendienst)/iu,
  /\b(?:veuillez|vous (?:pouvez|devriez)|je (?:vous )?(?:recommande|suggère)|n[’']hésitez pas)(?!\p{L}).*(?:support|équipe|forum|assistance|plus d[’']informations|reformuler|préciser)/iu,
  /\b(?:por favor|puedes?|podría|debería|te recomiendo|le recomiendo|recomiendo)(?!\p{L}).*(?:soporte|equipo|foro|asistencia|más información|reformul|precis)/iu,
  /(?:请|建议|您可以|你可以).{0,12}(?:联系|咨询|支持|客服|提供更多|重新描述|官方)/u,
  /(?:サポート|お問い合わせ|フォーラム|公式).{0,30}(?:ください|お勧めします|おすすめします)|(?:詳しく|詳細を).{0,10}(?:教えて|お知らせ)/u,
];

/** Words after which a sentence may turn to a statement. */
export const CONTRAST =
  /[;；]|\s[–—]\s|,?\s+(?:but|however|although|though|yet|aber|jedoch|allerdings|sondern|mais|cependant|toutefois|pero|sino|sin embargo|aunque)\b,?|[，,、]?(?:但是|但|不过|然而)|(?:ですが|ますが|せんが|ないが|だが|しかし|ただし)[、,]?/iu;

/** Words that begin a condition: a clause with one is about something else. */
export const CONDITION =
  /^\W*(?:if|when|unless|where|whenever|wenn|falls|sofern|si|lorsque|quand|cuando)(?!\p{L})|^(?:如果|若|当|もし)|(?:場合|たら|なら)[、は]/iu;
