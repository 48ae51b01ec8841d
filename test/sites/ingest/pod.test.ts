import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

test("pages in POD lead to each other and to places of each other, by the names of modules", async () => {
  using folder = temporaryDirectory();
  const files = {
    "lib/Foo/Bar.pod": "=head1 NAME\n\nFoo::Bar - a bar\n\n=over\n\n=item open FILE\n\nOpens.\n\n=back\n",
    "lib/Foo.pod":
      '=head1 NAME\n\nFoo - a foo\n\nL<Foo::Bar> L<Foo::Bar/open> L<Bar/none> L<Foo/"NAME"> L<Foo> L<None::Such>\n',
    "lib/Foo/Bar.pm": "package Foo::Bar;\n1;\n",
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(join(folder.path, name), content);
  }
  const pages: Record<string, string> = {};
  for await (const item of createFolderReader({ root: folder.path, fileBytesMax: 10_000 }).list(
    listContext(),
  ))
    if (!isSkipped(item)) pages[item.path] = new TextDecoder().decode(await item.read());
  expect(Object.keys(pages).sort()).toEqual(["lib/Foo", "lib/Foo/Bar"]);
  expect(pages["lib/Foo"]).toBe(
    '---\n{"title":"Foo","description":"a foo"}\n---\n## NAME {#NAME}\n\nFoo - a foo\n\n' +
      "[`Foo::Bar`](Foo/Bar.pod) [“open” in Foo::Bar](Foo/Bar.pod#open-FILE) [“none” in Bar](Foo/Bar.pod) " +
      "[“NAME” in Foo](#NAME) `Foo` `None::Such`",
  );
});
