import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { systemClock } from "../../src/kernel/lib/clock.ts";
import type { DocsSite } from "../../src/reading/generators/docs-site.ts";
import { recognizeSite } from "../../src/reading/generators/generators.ts";
import type { Work } from "../helpers/growth.ts";
import { type Files, readPageOf, treeOf } from "../reading/generators/open-files.ts";

const recognize = (files: Files) => recognizeSite(treeOf(files), { clock: systemClock });

/** Where the hostile text stands in the files of a site. */
const HERE = "@hostile@";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const asIs = (text: string) => text;
const cdata = (text: string) => text.replaceAll("]]>", "]] >");

interface HostileSite {
  files: Files;
  /** The page that is made of the text. */
  page: string;
  written?: (text: string) => string;
}

const mediawiki = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><sitename>W</sitename><base>http://localhost/w/index.php/Main_Page</base><namespaces><namespace key="0" case="first-letter" /><namespace key="10" case="first-letter">Template</namespace></namespaces></siteinfo><page><title>One</title><ns>0</ns><id>1</id><revision><id>2</id><model>wikitext</model><text xml:space="preserve">${HERE}</text></revision></page></mediawiki>`;
const xwikiPage = `<?xml version="1.1" encoding="UTF-8"?><xwikidoc version="1.5" reference="Main.WebHome" locale=""><web>Main</web><name>WebHome</name><language></language><defaultLanguage>en</defaultLanguage><title>Home</title><syntaxId>xwiki/2.1</syntaxId><hidden>false</hidden><content>${HERE}</content></xwikidoc>`;
const property = (name: string, value: string) => `<property name="${name}"><![CDATA[${value}]]></property>`;
const confluenceXml = `<?xml version="1.0" encoding="UTF-8"?>\n<hibernate-generic datetime="2026-01-01 00:00:00">\n<object class="Space" package="x">\n<id name="id">1</id>\n${property("key", "OPS")}${property("name", "Ops")}</object>\n<object class="Page" package="x">\n<id name="id">12</id>\n${property("title", "Body")}<property name="space" class="Space" package="x"><id name="id">1</id></property>${property("contentStatus", "current")}</object>\n<object class="BodyContent" package="x">\n<id name="id">912</id>\n${property("body", HERE)}<property name="content" class="Page" package="x"><id name="id">12</id></property>${property("bodyType", "2")}</object>\n</hibernate-generic>\n`;

const WIKIS: Readonly<Record<string, HostileSite>> = {
  dokuwiki: {
    files: {
      "doku.php": "<?php",
      "conf/acl.auth.php": "# acl.auth.php\n# <?php exit()?>\n*\t@ALL\t1\n",
      "conf/local.php": "<?php\n$conf['useacl'] = 1;\n",
      "data/meta/start.meta": "a:0:{}",
      "data/pages/start.txt": HERE,
    },
    page: "data/pages/start.txt",
  },
  mediawiki: { files: { "dump.xml": mediawiki }, page: "dump.xml#One", written: escaped },
  xwiki: {
    files: {
      "package.xml": "<package><infos><name>Backup</name></infos></package>",
      "Main/WebHome.xml": xwikiPage,
    },
    page: "Main/WebHome.xml",
    written: escaped,
  },
  "confluence's storage format": {
    files: {
      "exportDescriptor.properties": "exportType=space\nspaceKey=OPS\n",
      "entities.xml": confluenceXml,
    },
    page: "entities.xml#Body",
    written: cdata,
  },
  "a wiki in git": { files: { "Home.md": HERE, "_Sidebar.md": "- [Home](Home)" }, page: "Home.md" },
  hexo: {
    files: {
      "package.json": '{"dependencies": {"hexo": "^7.0.0"}}',
      "_config.yml": "title: Acme\n",
      "source/a.md": HERE,
    },
    page: "source/a.md",
  },
  "hugo's shortcodes": {
    files: {
      "hugo.yaml": "baseURL: https://docs.example.org/\n",
      "layouts/shortcodes/own.html": HERE,
      "content/docs/page.md": "---\ntitle: Page\n---\n{{< own a=1 >}}\n\nWords\n{{< /own >}}\n",
    },
    page: "content/docs/page.md",
  },
};

const RECORDED = join(import.meta.dir, "../fixtures/generators");
/** AsciiDoc is left out for the reason that readers.ts gives. */
const PAGES = /\.(?:mdx?|rst|qmd|Rmd)$/;
const TEXTS = /\.(?:mdx?|rst|adoc|qmd|Rmd|ya?ml|toml|json|js|ts|mjs|cjs|py|exs?|txt|html|njk|liquid|rb)$/;

function filesBelow(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => TEXTS.test(name) && statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [relative("", name), readFileSync(join(folder, name), "utf8")]),
  );
}

/** A page of a recorded site whose body is replaced; what stands in front of it stays. */
async function recordedSite(name: string): Promise<HostileSite | undefined> {
  const files = filesBelow(join(RECORDED, name, "site"));
  const site = await recognize(files);
  const page = site?.pages.find(({ location }) => PAGES.test(location) && location in files)?.location;
  if (page === undefined) return undefined;
  const front = /^---\n(?:(?!---).*\n)*---\n/.exec(files[page] ?? "")?.[0] ?? "";
  return { files: { ...files, [page]: front + HERE }, page };
}

/** Opens the site with the text in it, and reads the page. */
const reading =
  ({ files, page, written = asIs }: HostileSite): Work =>
  async (text) => {
    const given = Object.fromEntries(
      Object.entries(files).map(([location, content]) => [
        location,
        content.replace(HERE, () => written(text)),
      ]),
    );
    const site: DocsSite | undefined = await recognize(given);
    // Where its one page is not published for what stands in it, it has been read for that.
    if (site?.pages.some(({ location }) => location === page)) await readPageOf(site, page);
  };

export async function wikis(): Promise<Record<string, Work>> {
  const own = Object.entries(WIKIS).map(([name, site]): [string, Work] => [name, reading(site)]);
  const recorded = await Promise.all(
    readdirSync(RECORDED).map(async (name): Promise<[string, Work][]> => {
      const site = await recordedSite(name);
      return site === undefined ? [] : [[name, reading(site)]];
    }),
  );
  return Object.fromEntries([...own, ...recorded.flat()]);
}
