import { describe, expect, test } from "bun:test";
import { analyze } from "../../../src/search/analyze.ts";
import { lacksItsNames } from "../../../src/search/relevance/lacking-names.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

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

test("what names nothing that the docs have is hardly relevant, however many of its other words they have", async () => {
  const storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
  const pages = ["集群的安装和配置，节点需要相互连接。", "主题的模板和变量。", "用 Docker 部署服务。"];
  await publishPages(
    storage.ingest,
    source,
    pages.map((text, at) => stagedPage(`p${at}`, text)),
  );
  const search = openSearch(storage);
  const relevanceOf = async (text: string) => {
    const { hits } = await search.find({ audience: "everything", siteId: site.id, text, pageSize: 3 });
    return hits[0]?.relevance ?? 0;
  };
  expect(await relevanceOf("集群的安装和配置")).toBeGreaterThan(0.5);
  expect(await relevanceOf("Kafka 集群的安装和配置")).toBeLessThan(0.5);
  expect(await relevanceOf("用 Docker 部署服务")).toBeGreaterThan(0.5);
  storage[Symbol.dispose]();
});
