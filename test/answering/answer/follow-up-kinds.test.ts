import { describe, expect, test } from "bun:test";
import { completeQuestion } from "../../../src/answering/answer/follow-up/follow-up.ts";
import type { PastMessage } from "../../../src/answering/answer/responder.ts";

/** A follow-up with the words that its query must and must not have, in lower case. */
type FollowUp = [first: string, ask: string, words: string, unwanted?: string];

function completed(first: string, ask: string) {
  const conversation: PastMessage[] = [
    { role: "user", text: first },
    { role: "assistant", text: "As the documentation says. [[1]](/guide/reference)" },
  ];
  return completeQuestion(ask, conversation);
}

/** The words of a table's cell; a plus sign stands for a space. */
const wordsIn = (cell = "") =>
  cell
    .split(" ")
    .filter(Boolean)
    .map((word) => word.replaceAll("+", " "));

const LEANING: Record<string, FollowUp[]> = {
  "a why about the answer": [
    ["Which port do apps listen on?", "why not 80?", "port apps 80"],
    ["How do I mount a volume?", "why root?", "volume root"],
    ["How do I mount a volume?", "but why as root and not as my user?", "volume root"],
    ["How do I turn on discovery in a container?", "why host networking?", "discovery host+networking"],
    [
      "How do I open the server to the internet?",
      "why not just publish 8096 on the router?",
      "internet 8096",
    ],
    ["How do I migrate from the old server?", "can't I just copy the database?", "old+server copy"],
    ["Wie installiere ich den Agenten?", "warum nicht als root?", "agenten root"],
    ["Comment signer un webhook ?", "pourquoi pas en clair ?", "webhook clair"],
    ["¿Cómo firmo un webhook?", "¿por qué no el 443?", "webhook 443"],
    ["如何配置代理？", "为什么不用HTTP？", "代理 http"],
    ["プロキシはどう設定しますか？", "なぜHTTPではだめですか？", "プロキシ http"],
  ],
  "a statement with a why behind it": [
    ["How do I move the agent to a new host?", "now everyone is logged out at once, why?", "agent everyone"],
    ["How do I move the agent to a new host?", "all sessions are gone - but why?", "agent sessions"],
    ["Wie ziehe ich den Agenten um?", "jetzt sind alle Sitzungen weg, warum?", "agenten sitzungen"],
    ["Comment déplacer l'agent ?", "toutes les sessions ont expiré, pourquoi ?", "agent sessions"],
    ["¿Cómo muevo el agente?", "todas las sesiones caducaron, ¿por qué?", "agente sesiones"],
  ],
  "what comes before or after what was asked": [
    ["How do I mount a folder?", "do I have to restart it afterwards?", "mount folder restart"],
    ["How do I mount a folder?", "do I need to stop it before that?", "mount folder stop"],
    ["How do I mount a folder?", "muss ich sie danach neu starten?", "mount folder starten"],
    ["How do I mount a folder?", "之后需要重启吗？", "mount folder 重启"],
  ],
  "a wish to be shown": [
    ["How do I leave some files out of the archive?", "give me an example of a pattern", "files+out pattern"],
    ["How do I schedule a nightly job?", "can you show me a full example", "nightly job example"],
    ["How do I schedule a nightly job?", "got a working snippet?", "nightly job snippet"],
    ["How do I schedule a nightly job?", "just the command please", "nightly job command"],
    ["How do I schedule a nightly job?", "step by step please", "nightly job"],
    ["How do I schedule a nightly job?", "what would that look like in a file?", "nightly job file"],
    [
      "How do I schedule a nightly job?",
      "kannst du mir ein vollständiges Beispiel zeigen?",
      "nightly job beispiel",
    ],
    ["How do I schedule a nightly job?", "give me the config line", "nightly job config"],
    ["How do I schedule a nightly job?", "shorter please", "nightly job"],
    ["How do I schedule a nightly job?", "kannst du das genauer erklären?", "nightly job"],
    ["Comment planifier une tâche ?", "tu peux me montrer un exemple complet ?", "tâche exemple"],
    ["¿Cómo programo una tarea?", "¿me enseñas un ejemplo completo?", "tarea ejemplo"],
    ["如何安排任务？", "能给我一个完整的例子吗？", "任务 例子"],
    ["ジョブを予約するには？", "具体的な例を見せてください", "ジョブ 例"],
  ],
  "an error after advice": [
    ["How do I install the linter?", 'I get "command not found"', "linter command+not+found"],
    ["How do I install the linter?", "I get `permission denied`", "linter permission+denied"],
    ["How do I install the linter?", "it says no such file or directory", "linter no+such+file"],
    ["How do I install the linter?", "that gives me a timeout", "linter timeout"],
    ["Wie richte ich den Linter ein?", 'Ich bekomme "Zugriff verweigert"', "linter zugriff"],
    ["How do I install the linter?", "j'obtiens « permission denied »", "linter permission+denied"],
    ["How do I install the linter?", "me sale permission denied", "linter permission+denied"],
    ["How do I install the linter?", "报错 permission denied", "linter permission+denied"],
    ["How do I install the linter?", "permission deniedと表示されます", "linter permission+denied"],
  ],
  "the same for another thing": [
    ["How do I add a library?", "how do I exclude a folder from it?", "library exclude", "add"],
    ["What is the restart policy?", "how do I change it?", "restart+policy change"],
    ["How do I delete an app?", "no, just freeze it for the weekend", "app freeze"],
    ["How do I restart an app?", "and for one worker?", "restart app worker"],
    ["How do I restart an app?", "same for staging?", "restart app staging"],
    ["How do I restart an app?", "und wie nur die Worker?", "restart app worker"],
    ["How do I get a certificate?", "et seulement pour les sous-domaines ?", "certificate sous-domaines"],
    ["How do I get a certificate?", "¿y sólo para los subdominios?", "certificate subdominios"],
    ["How do I get a certificate?", "那子域名呢？", "certificate 子域名"],
    ["How do I get a certificate?", "サブドメインの場合は？", "certificate サブドメイン"],
  ],
  "the other way round": [
    ["How do I mount a folder?", "how do I undo that?", "folder undo", "mount"],
    ["How do I move from CSV to the archive?", "and the other way round?", "csv archive"],
    ["How do I move from CSV to the archive?", "can I go back?", "csv archive back"],
    ["What is maintenance mode?", "how do I switch that off", "maintenance+mode off"],
    ["How do I create a redirect rule?", "und wie lösche ich sie wieder?", "redirect+rule lösche", "create"],
    ["How do I move from CSV to the archive?", "und umgekehrt?", "csv archive"],
    ["What is maintenance mode?", "comment le désactiver ?", "maintenance+mode désactiver"],
    ["How do I create a redirect rule?", "¿y cómo la borro?", "redirect+rule borro", "create"],
    ["How do I create a redirect rule?", "怎么撤销？", "redirect+rule 撤销", "create"],
    ["How do I create a redirect rule?", "元に戻すには？", "redirect+rule 元に戻す"],
  ],
  "a pronoun": [
    ["How do I create a collection?", "can they be renamed?", "collection renamed", "create"],
    ["How do I create a collection?", "who can see that one", "collection"],
    ["How do I create a collection?", "how do I hide one that is empty?", "collection hide"],
    ["How do I add a user?", "can I keep private stuff from him?", "user private"],
    ["Which drivers are there?", "what is the difference between the two?", "drivers difference"],
    [
      "How do I restart a worker?",
      "does it keep the running jobs alive when the broker goes down?",
      "worker running+jobs",
    ],
    ["Wie erstelle ich einen Schlüssel?", "Wie lange ist er gültig?", "schlüssel gültig"],
    ["Wie erstelle ich einen Schlüssel?", "kann man ihn umbenennen?", "schlüssel umbenennen"],
    ["Comment créer une clé ?", "où est-elle stockée ?", "clé stockée"],
    ["Comment créer une clé ?", "comment la renouveler ?", "clé renouveler"],
    ["¿Cómo creo una clave?", "¿dónde se guarda?", "clave guarda"],
    ["如何创建密钥？", "它们存在哪里？", "密钥 存在"],
    ["キーを作成するには？", "それはどこに保存されますか？", "キー 保存"],
  ],
  "a what if": [
    ["How do I make a snapshot?", "what if the disk is full?", "snapshot disk full"],
    ["How do I make a snapshot?", "what if my files only change at night?", "snapshot files night"],
    ["How do I make a snapshot?", "and if it fails?", "snapshot fails"],
    ["How do I make a snapshot?", "was wenn die Platte voll ist?", "snapshot platte"],
    ["How do I make a snapshot?", "et si le disque est plein ?", "snapshot disque"],
    ["How do I make a snapshot?", "¿y si el disco está lleno?", "snapshot disco"],
    ["How do I make a snapshot?", "如果磁盘满了呢？", "snapshot 磁盘"],
    ["How do I make a snapshot?", "ディスクがいっぱいだったら？", "snapshot ディスク"],
  ],
  "advice that did not help": [
    ["How do I turn on dark mode?", "still doesn't work", "dark+mode"],
    ["How do I turn on dark mode?", "didn't help, nothing happens", "dark+mode"],
    ["How do I turn on dark mode?", "I tried, same error", "dark+mode error"],
    ["How do I turn on dark mode?", "geht immer noch nicht", "dark+mode"],
    ["How do I turn on dark mode?", "ça ne marche toujours pas", "dark+mode"],
    ["How do I turn on dark mode?", "sigue sin funcionar", "dark+mode"],
    ["How do I turn on dark mode?", "还是不行", "dark+mode"],
    ["How do I turn on dark mode?", "まだ動きません", "dark+mode"],
  ],
  "a detail of the answer": [
    ["How do I turn on transcoding?", "which driver do I need at least?", "transcoding driver"],
    ["How do I turn on transcoding?", "does anything break?", "transcoding break"],
    ["How do I turn on transcoding?", "do I need root for this", "transcoding root"],
    ["How do I turn on transcoding?", "how long does this take", "transcoding how+long"],
    ["How do I turn on transcoding?", "is a restart needed?", "transcoding restart"],
    ["How do I retry a failed job?", "how many times by default?", "failed+job times"],
    ["How do I retry a failed job?", "do I lose messages then?", "failed+job messages"],
    ["How do I retry a failed job?", "are retries counted?", "failed+job retries"],
    ["How do I retry a failed job?", "is the default 3?", "failed+job default"],
    ["How do I retry a failed job?", "any downsides?", "failed+job downsides"],
    ["How do I see old builds?", "how many are kept on disk by default?", "old+builds kept"],
    ["How do I retry a failed job?", "since which version?", "failed+job version"],
    ["How do I retry a failed job?", "does it cost performance?", "failed+job performance"],
    ["如何重试任务？", "怎么取消？", "任务 取消"],
  ],
  "thanks, then a question": [
    ["How do I create a collection?", "thanks, and which role do I need?", "collection role", "thanks"],
    ["How do I create a collection?", "ok thanks, how long is it kept?", "collection kept", "thanks"],
    ["How do I create a collection?", "danke! kann ich sie umbenennen?", "collection umbenennen", "danke"],
    ["How do I create a collection?", "merci, et pour un groupe ?", "collection groupe", "merci"],
    ["How do I create a collection?", "gracias, ¿y para un grupo?", "collection grupo", "gracias"],
  ],
};

for (const [kind, followUps] of Object.entries(LEANING)) {
  describe(`${kind} takes the topic with it`, () => {
    test.each(followUps.map((each) => ({ each, name: each.slice(0, 2).join(" / ") })))(
      "$name",
      ({ each }) => {
        const [first, ask, words, unwanted] = each;
        const { query, leans } = completed(first, ask);
        expect(leans).toBe(true);
        for (const word of wordsIn(words)) expect(query.toLowerCase()).toContain(word);
        for (const word of wordsIn(unwanted)) expect(query.toLowerCase()).not.toContain(word);
      },
    );
  });
}

describe("another question that is announced leaves the topic behind", () => {
  test.each([
    ["thanks! other question: how do I see logs", "how do I see logs"],
    ["different topic, how does it get its certificates?", "how does it get its certificates?"],
    ["one more unrelated question - can they send mail?", "can they send mail?"],
    ["Danke! Andere Frage: wie sehe ich die Logs?", "wie sehe ich die Logs?"],
    ["autre question : comment voir les journaux ?", "comment voir les journaux ?"],
    ["Gracias. Otra pregunta: ¿cómo veo los registros?", "¿cómo veo los registros?"],
    ["另一个问题：怎么查看日志？", "怎么查看日志？"],
    ["別の質問ですが、ログはどこで見られますか？", "ログはどこで見られますか？"],
  ])("%s", (ask, query) => {
    expect(completed("How do I run four web processes?", ask)).toEqual({ query, leans: false });
  });
});

describe("a question with words enough stands by itself, whatever its kind", () => {
  test.each([
    "why are webhook deliveries signed twice?",
    "show me an example of a redirect rule",
    "I get `ERR_TLS_CERT_ALTNAME_INVALID`",
    "it says: upstream certificate chain is incomplete",
    "what if two workers take one job from the queue?",
    "how do I switch off telemetry",
    "Is there a dashboard for Grafana?",
    "How do I see the logs?",
    "I need to export all accounts",
    "les sauvegardes sont-elles chiffrées ?",
    "データをエクスポートするには？",
    "Which is the fastest way to import accounts from LDAP?",
    "Wie exportiere ich Daten, die das Team erstellt hat?",
    "Where are the logs?",
    "What are the rate limits?",
    "Können Sie mir erklären, wie ich Benutzer anlege?",
    "Ist es möglich, Benutzer zu importieren?",
    "le fichier de configuration est-il obligatoire sous Docker ?",
    "Wie lösche ich einen Benutzer?",
    "comment supprimer un utilisateur ?",
    "¿cómo elimino un usuario?",
    "怎么查看日志？",
    "vielen Dank, das hat geholfen",
  ])("%s", (ask) => {
    expect(completed("How do I run four web processes?", ask)).toEqual({ query: ask, leans: false });
  });
});
