import { describe, expect, test } from "bun:test";
import { analyzeQuestion } from "../../../src/finding/search/analyze.ts";
import { subjectTerms, withoutAsking } from "../../../src/finding/search/asking/asking.ts";

const termsOf = (question: string) => analyzeQuestion(question).sort();
const coveredOf = (question: string) => subjectTerms(question, analyzeQuestion(question)).sort();

describe("words of asking", () => {
  test.each([
    ["Could you please explain what a webhook is?", "What is a webhook?"],
    ["I would like to understand webhooks", "webhooks"],
    [
      "How do I sign a webhook? Please help me, I am new to this. Thanks in advance!",
      "How do I sign a webhook?",
    ],
    ["Help me sign a webhook", "sign a webhook"],
    ["Please give me an overview of webhooks in detail", "webhooks"],
    ["Explain to me how a webhook is signed", "How is a webhook signed?"],
    ["Können Sie mir bitte erklären, was ein Webhook ist?", "mir was ein Webhook ist"],
    ["Pouvez-vous m'expliquer ce qu'est un webhook ?", "m' ce qu'est un webhook"],
    ["¿Podrías explicarme qué es un webhook, por favor?", "qué es un webhook"],
    ["Potresti spiegarmi cos'è un webhook?", "cos'è un webhook"],
    ["Poderia explicar o que é um webhook?", "o que é um webhook"],
    ["Объясните, пожалуйста, что такое вебхук", "что такое вебхук"],
    ["Wyjaśnij proszę, czym jest webhook", "czym jest webhook"],
    ["Lütfen webhook nedir açıklar mısınız", "webhook nedir"],
    ["请解释一下什么是 webhook", "webhook"],
    ["请问能否介绍一下 webhook 的参数说明", "webhook 的参数说明"],
    ["webhookについて詳しく教えてください", "webhook について"],
    ["웹훅이 무엇인지 설명해 주세요", "웹훅이"],
    ["协调器怎么写？", "协调器"],
    ["如何备份数据", "备份数据"],
    ["主题有哪些变量", "主题 变量"],
    ["应该怎样配置代理", "应该 配置代理"],
    ["是否支持 LDAP 登录", "支持 LDAP 登录"],
    ["为何数据会丢失", "数据会丢失"],
    ["有没有备份功能", "备份功能"],
    ["端口被占用怎么办，日志在哪", "端口被占用 ，日志在哪"],
    ["パイプとは何ですか", "パイプ"],
    ["ルーティングの設定方法", "ルーティングの設定"],
    ["ログはどうすれば見られますか", "ログは 見られ"],
    ["테마 만드는 방법", "테마"],
    ["플러그인은 어떻게 설치하나요?", "플러그인은 설치하나요"],
  ])("%p is searched as %p", (asked, subject) => {
    expect(termsOf(withoutAsking(asked))).toEqual(termsOf(subject));
  });

  test("a question of nothing else keeps its words", () => {
    for (const question of [
      "Could you please explain?",
      "教えてください",
      "erklären",
      "请说明",
      "怎么办",
      "방법",
    ])
      expect(withoutAsking(question)).toBe(question);
    expect(coveredOf("explain in detail")).toEqual(termsOf("explain in detail"));
  });

  test("words and names that only look like them stay", () => {
    for (const question of [
      "explain analyze",
      "kubectl describe pod",
      "resume a download",
      "Spiegel einrichten",
      "Beschreibung eines Felds",
      "参数说明",
      "HTTP 请求超时",
      "申请证书",
      "无论如何都要重启",
      "方法的参数",
      "テーマの作り方",
      "邀请说明",
      "文件可以删除",
      "How do I show information about a pod?",
      "I want to describe my API",
      "show details",
    ])
      expect(withoutAsking(question)).toBe(question);
    for (const question of ["explain_plan", "--explain", "kubectl-explain", "info.json", "`info`"])
      expect(coveredOf(question)).toEqual(termsOf(question));
  });

  test("docs need not have what only asks, though it is searched for", () => {
    expect(coveredOf("What exactly is a webhook?")).toEqual(["webhook"]);
    expect(coveredOf("hey guys, quick question: does anybody know webhooks? sorry")).toEqual(["webhook"]);
    expect(coveredOf("explain analyze")).toEqual(termsOf("analyze"));
  });

  test("words of a translation, which the question itself has not, stay", () => {
    expect(subjectTerms("Overview: Webhook", ["übersicht", "webhook"])).toEqual(["übersicht", "webhook"]);
  });
});
