import type { Frame, Page } from "playwright-core";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { question } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { type MemberDoor, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";

/** Ends an attribute, a tag, a script, a style and a title, and then runs in three ways. Names may be as long as that. */
export const POISON = `"'></style></title><img src=x onerror=__pwn()><svg onload=__pwn()><script>__pwn()</script>`;
/** The same for names of files, and of versions: with `<script` in it, no browser takes a tag for the one its policy names. */
export const POISONED_NAME = `"'><img src=x onerror=__pwn()><svg onload=__pwn()>`;
/** Runs where it becomes the address of something. */
export const POISONED_ADDRESS = "javascript:__pwn()";
const PICTURE = `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="__pwn()"><script>__pwn()</script></svg>`)}`;

/** What a page of docs, or a model, writes to get out of where it stands. */
export const POISONED_MARKDOWN = `Acme ${POISON}

[out](${POISONED_ADDRESS}) [out]( java&#115;cript:__pwn()) [out](//evil.example/) <${POISONED_ADDRESS}> [out][ref]

![pixel](https://evil.example/pixel.png) <iframe srcdoc="<script>parent.__pwn()</script>"></iframe>

<a href="${POISONED_ADDRESS}" onclick="__pwn()">out</a> <form action="https://evil.example"><button>Send</button></form>

| ${POISON} | <style>@import "https://evil.example/x.css"</style> |
| - | - |
| <base href="https://evil.example/"> | <meta http-equiv=refresh content="0;url=https://evil.example/"> |

[ref]: ${POISONED_ADDRESS} "${POISON}"

\`\`\`js" onmouseover="__pwn()
${POISON}
\`\`\`
`;

const POISONED_PAGE = `---
title: ${JSON.stringify(`Zebra ${POISON}`)}
sidebar_label: ${JSON.stringify(`Zebra ${POISON}`)}
description: ${JSON.stringify(POISON)}
tags: [${JSON.stringify(POISON)}]
---

# Zebra ${POISON}

## Stripes of a zebra \`${POISON}\`

A zebra has stripes. ${POISONED_MARKDOWN}`;

/** A server on which everything that anybody may name or write is an attempt to run something. */
export interface PoisonedServer {
  door: MemberDoor;
  ollama: FakeOllama;
  /** Below the dashboard's pages of the site. */
  site: string;
  /** A turn whose question, answer and comment are poisoned. */
  messageId: string;
  key: string;
  close(): Promise<void>;
}

export async function startPoisonedServer(): Promise<PoisonedServer> {
  const ollama = startFakeOllama({
    reply: {
      text: [
        `A zebra has stripes [1]. ${POISONED_MARKDOWN}`,
        `\n\`\`\`suggestions\n(${POISON.replace(/[()]/g, "")})[/zebra]\n(Out)[${POISONED_ADDRESS}]\n\`\`\``,
      ],
    },
  });
  const door = await startMemberDoor({
    ollama: ollama.url,
    docs: null,
    settings: { answer_cache_answers: "0", hand_over_hosts: "hooks.evil.example" },
  });
  const { people, sources, answers, golden, notices } = door.app.parts;
  const organization = await people.sites.addOrganization(POISON);
  const added = await people.sites.add({
    domain: "evil",
    name: POISON,
    url: "https://docs.evil.example",
    organization: organization.id,
    settings: {
      public: true,
      instructions: POISON,
      starterQuestions: [POISON],
      contact: `https://evil.example/"onfocus="__pwn&lpar;&rpar;"x="`,
      phrases: { notCovered: POISON, nearest: POISON, contact: POISON },
      widget: { labels: { title: POISON, greeting: POISON, disclaimer: POISON }, logo: PICTURE },
    },
  });
  for (const [generation, version] of ["", POISONED_NAME].entries()) {
    await sources.ingest.run({
      source: { siteId: added.id, kind: "demo", location: `${POISON}${version}`, version, language: version },
      reader: createEmbeddedReader({
        "index.md": "# Start\n\nWelcome.",
        "zebra.md": POISONED_PAGE,
        [`${POISONED_NAME}/${POISONED_NAME}.md`]: `# Lion\n\nA lion sleeps.`,
        "left.md": `---\nnoindex: true\n---\n# ${POISON}\n\nNothing.`,
      }),
      generation,
      signal: new AbortController().signal,
    });
    // Asked before the second generation is published, and so told of in its report.
    if (generation === 0)
      await golden.questions.add(added, { question: `Which stripes? ${POISON}`, expected: ["zebra"] });
  }
  await notices.add({
    organizationId: undefined,
    name: POISON,
    channel: "chat",
    address: `https://hooks.evil.example/${encodeURIComponent(POISON)}`,
    kinds: ["source-failing"],
  });
  const { key } = await people.keys.create({ organizationId: organization.id, name: POISON });
  await people.adminKeys.create({ name: POISON, organizationId: organization.id, mayWrite: false });
  await answers.curated.add(added, {
    name: "poison",
    version: "",
    language: "",
    markdown: `---\nquestion: ${JSON.stringify(`Which poison is the best? ${POISON}`)}\n---\n${POISONED_MARKDOWN}`,
  });
  // In the audit log as well.
  await door.send("POST", "/v1/admin/organizations", {
    as: "root",
    headers: { origin: door.url },
    body: { name: `Other ${POISON}` },
  });
  await people.members.invite(`1 ${POISON}`, { organizationId: organization.id, role: "viewer" });
  await door.send("POST", "/v1/session", {
    body: { name: "root", password: PASSWORD },
    headers: { "user-agent": POISON },
  });
  const asked = async (text: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const reply = await door.post(question(text, { currentPath: `/${POISON}` }), { domain: "evil", headers });
    await reply.text();
    return { threadId: reply.headers.get("x-thread-id"), messageId: reply.headers.get("x-message-id") };
  };
  const { threadId, messageId } = await asked(`Which stripes has a zebra? ${POISON}`);
  await asked(`quuxly frobnication ${POISON}`);
  await door.send("POST", "/v1/feedback/evil", {
    body: { threadId, messageId, helpful: false, comment: POISON },
    headers: { authorization: `Bearer ${key}` },
  });
  return {
    door,
    ollama,
    key,
    messageId: messageId ?? "",
    site: `/dashboard/${encodeURIComponent(POISON)}/evil`,
    async close() {
      await door.close();
      await ollama.stop();
    },
  };
}

/** Counts what runs. Before the page's own scripts, in every frame. */
export function countRuns(): void {
  const counted = window as unknown as { __pwned: number; __pwn: () => void };
  counted.__pwned = 0;
  counted.__pwn = () => {
    counted.__pwned++;
  };
}

/** Everything that a page says, in shadow roots, fields and its title too. Runs in the page. */
export function allText(): string {
  const textOf = (root: Document | ShadowRoot): string => {
    const elements = [...root.querySelectorAll("*")];
    const inside = elements.map((element) => (element.shadowRoot ? textOf(element.shadowRoot) : ""));
    const fields = elements.map((element) =>
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : "",
    );
    const text = root instanceof Document ? root.documentElement.textContent : root.textContent;
    return [text, ...fields, ...inside].join("\n");
  };
  return `${document.title}\n${textOf(document)}`;
}

/** What ran in a page, and what stands in it that nobody meant to. */
export async function harmIn(page: Page): Promise<string[]> {
  const found = await Promise.all(page.frames().map((frame: Frame) => frame.evaluate(harmInFrame)));
  return found.flat();
}

function harmInFrame(): string[] {
  const harm: string[] = [];
  const { origin } = new URL(document.baseURI);
  const MEANT = /^(?:https?|mailto|blob):|^data:image\/|^about:blank$/;
  const check = (element: Element) => {
    const say = (what: string) => harm.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name) || (name === "srcdoc" && value.includes("__pwn"))) say(name);
      if (!["href", "src", "action", "formaction", "xlink:href"].includes(name)) continue;
      const url = URL.parse(value, document.baseURI);
      if (url === null || !MEANT.test(url.href)) say(name);
      const isLink = element.localName === "a";
      if (!isLink && url && /^http/.test(url.protocol) && url.origin !== origin) say("of elsewhere");
    }
    if (/^(?:object|embed|base|foreignobject|animate|set|math)$/.test(element.localName)) say("stranger");
    if (element.localName === "meta" && element.hasAttribute("http-equiv")) say("stranger");
    if (element.localName === "script" && !element.hasAttribute("src")) say("inline script");
    if (element.shadowRoot) for (const inner of element.shadowRoot.querySelectorAll("*")) check(inner);
  };
  for (const element of document.querySelectorAll("*")) check(element);
  const runs = (window as unknown as { __pwned?: number }).__pwned;
  if (runs !== 0) harm.push(`ran ${runs} times`);
  return harm;
}
