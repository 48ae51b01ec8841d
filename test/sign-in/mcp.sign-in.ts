import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startDocent } from "../helpers/docent.ts";
import { call } from "../helpers/mcp-client.ts";
import { startAgent } from "../helpers/oauth-agent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { COMPANIES } from "./companies.ts";
import { createPerson } from "./person.ts";

const AUDIENCE = "https://docs.example/mcp";
const keycloak = COMPANIES.find(({ name }) => name === "Keycloak");

describe.skipIf(keycloak?.isHere !== true)("agents with tokens of Keycloak's", () => {
  test("one that finds Keycloak by itself reads what its reader reads, with the audience of a mapper", async () => {
    if (keycloak === undefined) throw new Error("Keycloak is one of the companies");
    await using stack = new AsyncDisposableStack();
    // As docs/mcp.md says it: whatever port the agent listens on.
    const redirects = ["http://127.0.0.1/*"];
    const company = stack.use(await keycloak.start({ redirects, isPublic: true, audience: AUDIENCE }));
    const file = join(stack.use(temporaryDirectory()).path, "sign-in.yml");
    await Bun.write(file, fileOf(company.issuer));
    const docent = await startDocent({ docs: null, settings: { sign_in_file: file } });
    stack.defer(() => docent.close());
    const pages = {
      "index.md": "# Start\n\nFor all.",
      "staff.md": "---\ngroups: [staff]\n---\n# Staff",
      "board.md": "---\ngroups: [board]\n---\n# Board",
    };
    await addSiteWithPages(docent, "inside", pages);
    await docent.app.parts.people.sites.set("inside", { settings: { readers: "signed-in" } });
    const person = createPerson();
    const agent = stack.use(
      startAgent({
        clientId: company.client.id,
        throughPages: async (url, until) =>
          (await company.signIn(person, await person.visit(url), "grace", until)).url,
      }),
    );
    const client = await agent.connect(`${docent.app.publicUrl}/mcp/inside`);
    const { pages: found } = (await call(client, "list_pages")).structuredContent ?? {};
    expect(found).toEqual([
      expect.objectContaining({ path: "" }),
      expect.objectContaining({ path: "staff" }),
    ]);
    await client.close();
  });
});

const fileOf = (issuer: string) => `
providers:
  - name: company
    label: Company account
    issuer: ${issuer}
    client_id: docent
    mcp_audience: ${AUDIENCE}
`;
