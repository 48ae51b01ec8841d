import { describe, expect, test } from "bun:test";
import { analyze } from "../../../../src/finding/search/analyze.ts";
import { lacksItsNames, namesLackedBy } from "../../../../src/finding/search/relevance/lacking-names.ts";
import { readOrdinaryWords } from "../../../../src/finding/search/relevance/ordinary-words.ts";
import { publishedTexts } from "../../../helpers/published-docs.ts";

const DOCS = new Map(analyze("docker compose 数据 部署 nginx").map((term) => [term, 5]));
const ORDINARY = { has: (term: string) => ["cluster", "error"].includes(term) };
const lacks = (question: string, asked = analyze(question)) =>
  lacksItsNames(question, { of: DOCS }, new Set(asked), ORDINARY);

describe("a question in another script that names something", () => {
  test("lacks it where no passage has the name", () => {
    for (const question of [
      "怎么安装 Kafka 集群",
      "Djangoのモデル定義",
      "Как установить Kafka",
      "MongoDB와 Redis.js 연결",
    ])
      expect(lacks(question)).toBe(true);
  });

  test("does not where one of its names is there, where it only has ordinary words, or names nothing", () => {
    for (const question of [
      "Docker 怎么部署",
      "Docker 和 Podman 部署",
      "出现 error 怎么办",
      "备份数据",
      "V2 升级",
      "发到 me@kafka.org",
    ])
      expect(lacks(question)).toBe(false);
  });

  test("is one in another script: in English, words that are lacking are weighed", () => {
    expect(lacks("how to install Kafka")).toBe(false);
    expect(lacks("Wie wird Kafka installiert?")).toBe(false);
  });

  test("is not judged by a name that was searched for as another word", () => {
    expect(lacks("怎么安装 Dockre", analyze("怎么安装 Docker"))).toBe(false);
  });
});

describe("an English question", async () => {
  const ordinary = await readOrdinaryWords();
  const of = new Map(
    analyze("Docker compose deploy nginx LAN wake up container Windows").map((term) => [term, 5]),
  );
  const lacked = (question: string) => namesLackedBy(question, { of }, new Set(analyze(question)), ordinary);

  test("lacks the names that no passage has, however they are written", () => {
    expect(lacked("Does Docker alert PagerDuty when a container crashes?")).toEqual(["PagerDuty"]);
    expect(lacked("How do I let it use Podman instead of Docker?")).toEqual(["Podman"]);
    expect(lacked("can it use LDAP groups to decide who may push")).toEqual(["LDAP"]);
    expect(lacked("how do I set up fail2ban for the login page")).toEqual(["fail2ban"]);
    expect(lacked("Is there an app for iOS or Android?")).toEqual(["iOS", "Android"]);
    expect(lacked("How do I set up SCIM provisioning?")).toEqual(["SCIM"]);
  });

  test("lacks none where the docs have it or a part of it by that name, or where it begins a sentence", () => {
    expect(lacked("How do I run Windows containers with Docker?")).toEqual([]);
    expect(lacked("Can it start by Docker-based scripts when somebody asks?")).toEqual([]);
    expect(lacked("Kafka instead of nginx, is that possible? Thanks.")).toEqual([]);
  });

  test("names nothing by what a program said, by an address or by its way of writing", () => {
    expect(lacked("why do I get a ConnectionRefusedError when it starts")).toEqual([]);
    expect(lacked("what does it do with the file Makefile.am that I have")).toEqual([]);
    expect(lacked("How To Install The New Server Behind Kafka Today")).toEqual([]);
  });

  test("is told from one in a language that capitalizes its nouns", () => {
    expect(lacked("wie kann ich das mit einem Schlüssel und einer Datei verbinden")).toEqual([]);
  });
});

test("how something is undone is not answered by how it is done", async () => {
  using docs = await publishedTexts([
    "Install the server on Linux with the package.",
    "Workers send messages.",
    "Disable the theme.",
  ]);
  expect(await docs.relevanceOf("How do I install the server package on Linux?")).toBeGreaterThan(0.5);
  expect(await docs.relevanceOf("How do I uninstall the server package on Linux?")).toBeLessThan(0.5);
  expect(await docs.relevanceOf("How do I disable the theme?")).toBeGreaterThan(0.5);
});

test("what is to be done with something that the docs do not know is not covered, whatever else they have of it", async () => {
  using docs = await publishedTexts([
    "Workers send messages when a task fails.",
    "Install the server.",
    "Change the theme.",
  ]);
  expect(await docs.relevanceOf("Do workers send messages when a task fails?")).toBeGreaterThan(0.5);
  expect(await docs.relevanceOf("Do workers send messages to PagerDuty when a task fails?")).toBeLessThan(
    0.3,
  );
});

test("what names nothing that the docs have is hardly relevant, however many of its other words they have", async () => {
  using docs = await publishedTexts([
    "集群的安装和配置，节点需要相互连接。",
    "主题的模板和变量。",
    "用 Docker 部署服务。",
  ]);
  expect(await docs.relevanceOf("集群的安装和配置")).toBeGreaterThan(0.5);
  expect(await docs.relevanceOf("Kafka 集群的安装和配置")).toBeLessThan(0.5);
  expect(await docs.relevanceOf("用 Docker 部署服务")).toBeGreaterThan(0.5);
});
