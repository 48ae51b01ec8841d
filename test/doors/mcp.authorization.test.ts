import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { call, type McpClient } from "../helpers/mcp-client.ts";
import { AGENTS, startAgent } from "../helpers/oauth-agent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { type RealProvider, startRealProvider } from "../helpers/real-provider.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

// The official clients get their access tokens from a real provider, and nobody tells them where it is.

const AUDIENCE = "https://docs.example/mcp";
const PAGES = {
  "index.md": "# Start\n\nEverybody reads of the lobby.",
  "staff.md": "---\ngroups: [staff]\n---\n# For staff\n\nThe zanzibarium is in the cellar.",
  "admins.md": "---\ngroups: [admins]\n---\n# For admins\n\nThe zanzibarium opens with a code.",
};
const yaml = (issuer: string) => `
providers:
  - name: company
    label: Company account
    issuer: ${issuer}
    client_id: docent
    scopes: [openid, profile, groups]
    mcp_audience: ${AUDIENCE}
`;

const folder = temporaryDirectory();
let provider: RealProvider;
let docent: TestDocent;
/** How much later it is for Docent. */
let passed = 0;
beforeAll(async () => {
  provider = await startRealProvider();
  const file = join(folder.path, "sign-in.yml");
  await Bun.write(file, yaml(provider.issuer));
  docent = await startDocent({
    docs: null,
    settings: { sign_in_file: file },
    clock: () => Date.now() + passed,
  });
  await provider.knows(docent.app.publicUrl);
  for (const domain of ["inside", "second"]) {
    await addSiteWithPages(docent, domain, PAGES);
    await docent.app.parts.people.sites.set(domain, { settings: { readers: "signed-in" } });
  }
  await addSiteWithPages(docent, "keyed", PAGES, { isPublic: false });
});
afterAll(async () => {
  await docent.close();
  await provider.stop();
  folder[Symbol.dispose]();
});

afterEach(() => {
  provider.audienceOf = (resource) => resource;
  passed = 0;
});

const server = (domain = "inside") => `${docent.app.publicUrl}/mcp/${domain}`;

async function pathsFor(client: McpClient) {
  const { pages } = (await call(client, "list_pages")).structuredContent ?? {};
  return z
    .array(z.object({ path: z.string() }))
    .parse(pages)
    .map(({ path }) => path);
}

/** Asks as an agent that keeps this token, and does not sign in again. */
async function ask(domain: string, token: string) {
  const reply = await fetch(server(domain), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  return [reply.status, reply.headers.get("www-authenticate")?.includes('error="invalid_token"') ?? false];
}
const TAKEN = [200, false];
const INVALID = [401, true];

describe.each(AGENTS)("%s", (_, connect) => {
  test("finds the provider from the refusal, signs its reader in, and reads what is for them alone", async () => {
    using agent = startAgent({ connect });
    provider.whoSignsIn = "grace";
    const client = await agent.connect(server());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search_docs");
    const { results } = (await call(client, "search_docs", { query: "zanzibarium" })).structuredContent ?? {};
    expect(results).toEqual([expect.objectContaining({ path: "staff" })]);
    expect(await pathsFor(client)).toEqual(["", "staff"]);
    await client.close();
    const [asked] = agent.asked;
    expect(asked?.origin).toBe(provider.issuer);
    expect(Object.fromEntries(asked?.searchParams ?? [])).toMatchObject({
      resource: server(),
      scope: "openid profile groups",
      code_challenge_method: "S256",
    });
  });

  test("whose token is good no more signs its reader in again", async () => {
    using agent = startAgent({ connect });
    agent.keep("no.longer.good");
    provider.whoSignsIn = "ada";
    const client = await agent.connect(server());
    expect(await pathsFor(client)).toEqual(["", "admins"]);
    await client.close();
  });
});

describe("a token that the provider gave", () => {
  test("for one site's address opens no other site", async () => {
    using agent = startAgent();
    await (await agent.connect(server())).close();
    const { access } = agent.tokens();
    expect([await ask("inside", access), await ask("second", access)]).toEqual([TAKEN, INVALID]);
  });

  test("for the audience of agents opens every site whose readers sign in, and none that wants a key", async () => {
    using agent = startAgent();
    provider.audienceOf = () => AUDIENCE;
    await (await agent.connect(server())).close();
    const { access } = agent.tokens();
    expect([await ask("inside", access), await ask("second", access)]).toEqual([TAKEN, TAKEN]);
    expect(await ask("keyed", access)).toEqual([404, false]);
    expect(await ask("nowhere", access)).toEqual([404, false]);
  });

  test("for another server opens nothing", async () => {
    using agent = startAgent();
    provider.audienceOf = () => "https://other.example/mcp";
    await expect(agent.connect(server())).rejects.toThrow();
    expect(await ask("inside", agent.tokens().access)).toEqual(INVALID);
  });

  test("to tell the agent who its reader is, the ID token, opens nothing", async () => {
    using agent = startAgent();
    await (await agent.connect(server())).close();
    const { id } = agent.tokens();
    expect(id.split(".")).toHaveLength(3);
    expect(await ask("inside", id)).toEqual(INVALID);
  });

  test("a while ago, and has ended, opens nothing", async () => {
    using agent = startAgent();
    await (await agent.connect(server())).close();
    const { access } = agent.tokens();
    passed = 10 * 60_000;
    expect(await ask("inside", access)).toEqual(INVALID);
  });
});
