import { describe, expect, test } from "bun:test";
import { createExtractiveResponder } from "../../../src/answering/answer/answer.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage, responderRequest } from "../../helpers/responder-request.ts";

const embedder = createBuiltinEmbedder(readBuiltinAsset);

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(5);

describe("an answer by quoting", () => {
  test("says that it quotes, and cites each quote", async () => {
    expect(await quotedAnswer("How long is retention?", [passage(1, "Retention lasts 90 days.")])).toBe(
      "Quoted:\n\n> Retention lasts 90 days. [1]\n\n",
    );
  });

  test("never quotes a passage that lacks words of its page, and names its page where there is no other", async () => {
    const lacking = passage(1, "You must delete the options.", { lacksWords: true });
    const question = "Must I delete the options?";
    expect(await quotedAnswer(question, [lacking, passage(2, "Options must be kept.")])).toBe(
      "Quoted:\n\n> Options must be kept. [2]\n\n",
    );
    expect(await quotedAnswer(question, [lacking])).toBe(
      "Touched on:\n\n- [Page 1](https://docs.example/1)\n",
    );
  });

  test("leaves out how the same is done elsewhere, where the question names the heading of one section", async () => {
    const install = (how: string) => `Install Acme with ${how}.`;
    const text = `${install("apt")}\n\n## macOS\n\n${install("Homebrew")}\n\n## Windows\n\n${install("setup.exe")}`;
    const section = passage(1, text, { title: "Install Acme", headings: ["Linux"] });
    const quoted = await quotedAnswer("How do I install Acme on Linux?", [section]);
    expect(quoted).toContain("with apt");
    expect(quoted).not.toMatch(/Homebrew|setup\.exe/);
    const behind = `${text}\n\n## Proxy\n\nBehind a proxy, install Acme with HTTPS_PROXY set.`;
    const both = await quotedAnswer("How do I install Acme on Linux behind a proxy?", [
      { ...section, text: behind },
    ]);
    expect(both).toContain("HTTPS_PROXY");
    expect(both).not.toMatch(/Homebrew|setup\.exe/);
  });

  test("puts the heading of each section over what is quoted of it, where a passage has several", async () => {
    const text = await quotedAnswer("What does rescan interval do, and the watcher's rescan delay?", [
      passage(
        1,
        `The rescan interval is a number of seconds. ${FILLER}\n\n## Watcher\n\nThe watcher's rescan delay is a number of its own. ${FILLER}`,
        { headings: ["Rescan"] },
      ),
    ]);
    expect(text).toContain("**Rescan**\n\n> The rescan interval is a number of seconds. [1]");
    expect(text).toContain("**Watcher**\n\n> The watcher's rescan delay is a number of its own. [1]");
  });

  test("of a long paragraph quotes the sentences that answer", async () => {
    const text = await quotedAnswer("How long is retention?", [
      passage(1, `${FILLER}Retention lasts 90 days. ${FILLER}`),
    ]);
    expect(text).toBe("Quoted:\n\n> Retention lasts 90 days. [1]\n\n");
  });

  test("of a story answers what is asked, whatever log is pasted below it", async () => {
    const log = Array.from(
      { length: 20 },
      (_, index) => `at Module.load${index} (node:internal/modules/cjs/loader:${index}:14)`,
    );
    const story = "Hi! We moved the printer of our bakery to the first floor. How long is retention?";
    const passages = [
      passage(1, `The printer is made of steel. ${FILLER}Retention lasts 90 days. ${FILLER}`),
    ];
    const text = await quotedAnswer(`${story}\n\n${log.join("\n")}`, passages);
    expect(text.slice(0, 60)).toBe("Quoted:\n\n> Retention lasts 90 days. [1]\n\n".slice(0, 60));
    expect(text).toBe(await quotedAnswer(story, passages));
  });

  test("of a story is of the kind that its question wants", async () => {
    const passages = [
      passage(
        1,
        `A flange needs oil, and a flange needs rest. ${FILLER}A flange is a rim of steel. ${FILLER}`,
      ),
    ];
    const text = await quotedAnswer("We have an old lathe. It runs well. What is a flange?", passages);
    expect(text).toStartWith("Quoted:\n\n> A flange is a rim of steel. [1]");
  });

  test("keeps code whole, with the sentence before it, and cites it beside and not in it", async () => {
    const code = "```sh\nacme install --prefix /opt\n```";
    const text = await quotedAnswer("How do I install Acme?", [
      passage(1, `To install Acme, run:\n\n${code}`),
    ]);
    expect(text).toBe(`Quoted:\n\n> To install Acme, run:\n\n${code}\n\n[1]\n\n`);
  });

  test("keeps a code span whole that goes on in the next line", async () => {
    const text = await quotedAnswer("How is retention set?", [
      passage(1, "Retention is set by `docent sites set\n--retention 90`.\nIt is in days."),
    ]);
    expect(text).toContain("> Retention is set by `docent sites set --retention 90`. It is in days. [1]");
  });

  test("quotes what a callout says, without its mark", async () => {
    const text = "> [!WARNING]\n> Retention needs room on the disk.\n\n> [!NOTE]";
    expect(await quotedAnswer("What does retention need?", [passage(1, text)])).toContain(
      "> > Retention needs room on the disk. [1]",
    );
  });

  test("takes no index in the docs for a citation", async () => {
    const passages = [passage(1, "Retention waits `delays[2]`, then delays[2] more.")];
    const request = responderRequest({ question: "What is retention?", passages });
    const events = await Array.fromAsync(
      createExtractiveResponder({ embedder }).respond(request, new AbortController().signal),
    );
    expect(events.filter(({ type }) => type === "citation")).toEqual([
      { type: "citation", number: 1, offset: 0 },
    ]);
    const own = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    expect(own.join("")).not.toContain("delays");
  });

  test("of a long list quotes the items that answer", async () => {
    const items = Array.from({ length: 30 }, (_, index) => `- option ${index} does thing number ${index}`);
    items[17] = "- `--retention` sets how long files are kept";
    const text = await quotedAnswer("How do I set retention?", [
      passage(1, items.join("\n"), { headings: ["Options"] }),
    ]);
    expect(text).toBe("Quoted:\n\n**Options**\n\n> - `--retention` sets how long files are kept [1]\n\n");
  });

  test("quotes all steps, with the sentence that says what they are for", async () => {
    const steps = "1. Stop the server.\n2. Copy the new binary.\n3. Start the server again.";
    const text = await quotedAnswer("How do I upgrade Acme?", [
      passage(1, `${FILLER}\n\nTo upgrade Acme:\n\n${steps}\n\n${FILLER}`),
    ]);
    expect(text).toContain(`> To upgrade Acme:\n\n> ${steps.replaceAll("\n", "\n> ")} [1]`);
  });

  test("of a long table quotes the row that answers, under its header, and cites behind it", async () => {
    const rows = Array.from(
      { length: 30 },
      (_, index) => `| \`code_${index}\` | ${300 + index} | something |`,
    );
    const header = "| Code | Status | when |\n| --- | --- | --- |";
    const row = "| `rate_limited` | 429 | over a limit |";
    const text = await quotedAnswer("What is 429?", [passage(1, [header, ...rows, row].join("\n"))]);
    expect(text).toContain(`> ${header.replace("\n", "\n> ")}\n> ${row}\n\n[1]`);
    expect(text).not.toContain("code_3 ");
  });

  test("leaves out what is much weaker than the best", async () => {
    const text = await quotedAnswer("How do I rotate the signing key?", [
      passage(1, "Rotate the signing key with `acme rotate`."),
      passage(2, "A key is a thing that opens doors.", { relevance: 0.3 }),
    ]);
    expect(text).toContain("acme rotate");
    expect(text).not.toContain("doors");
  });

  test("in a language that the runtime does not know still cuts sentences", async () => {
    const passages = [passage(1, `${FILLER}Retention lasts 90 days.`)];
    const text = await quotedAnswer("retention", passages, { language: "not a language" });
    expect(text).toContain("> Retention lasts 90 days. [1]");
  });

  test("has at most three quotes", async () => {
    const pages = Array.from({ length: 9 }, (_, index) =>
      passage(
        index + 1,
        `Retention in region ${index} of the ${"abcdefghi"[index]}-zone lasts ${index + 80} days.`,
      ),
    );
    const text = await quotedAnswer("How long is retention?", pages);
    expect(text.match(/\[\d\]/g)?.length).toBeLessThanOrEqual(3);
  });
});

describe("the best quote", () => {
  test("comes first, whatever the order of the passages", async () => {
    const text = await quotedAnswer("What is the default port?", [
      passage(1, "The port is opened when the server starts, and closed when it stops."),
      passage(2, "The default port is 8080."),
    ]);
    expect(text).toStartWith("Quoted:\n\n> The default port is 8080. [2]");
  });

  test("of a question for a number is the table row that has it, not a sentence that points to it", async () => {
    const text = await quotedAnswer("How many tuning jobs can run at once?", [
      passage(1, "For information about how many tuning jobs can run at once, see [Quotas](quotas.md)."),
      passage(
        2,
        "| Resource | Limit |\n| --- | --- |\n| Tuning jobs that can run at once | 100 |\n| Endpoints in a region | 20 |",
        { title: "Quotas", relevance: 0.9 },
      ),
    ]);
    expect(text).toContain("| Tuning jobs that can run at once | 100 |");
    expect(text.indexOf("100")).toBeLessThan((text.indexOf("For information") + 1 || Infinity) - 1);
  });

  test("is not a sentence that only says where to read on", async () => {
    const text = await quotedAnswer("How are backups encrypted?", [
      passage(1, "To learn more about how backups are encrypted, see [Encryption](encryption.md)."),
      passage(2, "Backups are encrypted with the key of the site.", { relevance: 0.9 }),
    ]);
    expect(text).toStartWith("Quoted:\n\n> Backups are encrypted with the key of the site. [2]");
  });

  test("is not what a page promises to say, but what it says", async () => {
    for (const promise of ["How to add a hive to a list of hives", "Why a hive is added to the list"]) {
      const text = await quotedAnswer("How do I add a hive to the list of hives?", [
        passage(1, `You will learn:\n\n- ${promise}\n- What bees do in winter`, { headings: ["Hives"] }),
        passage(2, "Write `new hive` below the others, and save the list.", { headings: ["A new hive"] }),
      ]);
      expect(text, promise).toContain("Write `new hive`");
      expect(text, promise).not.toContain(promise);
    }
  });

  test("is not the card of another page", async () => {
    const cards =
      "- **[Debugging leaks](/topics/leaks)**\\\n  Learn how to find leaks of memory in your crawler.\n\n- [Crawler leaks](leaks.md) - describes leaks of memory in crawlers.";
    const fact = "A crawler keeps its memory as long as requests hold objects.";
    const text = await quotedAnswer("Why does my crawler leak memory?", [
      passage(1, cards),
      passage(2, fact),
    ]);
    expect(text).toStartWith(`Quoted:\n\n> ${fact} [2]`);
  });

  test("of a question that only names a thing says what that is", async () => {
    const text = await quotedAnswer("dead letter queue", [
      passage(1, `Always open the dead letter queue of a queue with a trailing slash. ${FILLER}`, {
        title: "Queue behind a proxy",
      }),
      passage(2, `A dead letter queue is where messages go that nobody could read. ${FILLER}`, {
        title: "Queues",
      }),
    ]);
    expect(text).toContain("Quoted:\n\n> A dead letter queue is where messages go");
  });

  test("of a question what something is begins the section of that name, not one that has its name in it", async () => {
    const text = await quotedAnswer("What is the Acme Queue Monitor?", [
      passage(1, `Acme provides a container acme-monitor, with alarms for queues. ${FILLER}`, {
        headings: ["Container"],
      }),
      passage(2, `Acme Queue Monitor watches all queues, and says where one grows. ${FILLER}`, {
        title: "Acme Queue Monitor",
      }),
    ]);
    expect(text).toStartWith("Quoted:\n\n> Acme Queue Monitor watches all queues, and says where one grows.");
  });

  test("of a function's parameters is the one that is asked about, whole", async () => {
    const docstring = [
      "Args:",
      "    num_cpus: How many processors the worker takes.",
      "        Defaults to None.",
      "    log_to_driver (bool): If true, what workers print is shown by the",
      "        driver. Defaults to True.",
      "    namespace: What a name belongs to. Defaults to None.",
      `    storage: ${FILLER}`,
    ].join("\n");
    expect(await quotedAnswer("What is log_to_driver?", [passage(1, docstring)])).toBe(
      "Quoted:\n\n> log_to_driver (bool): If true, what workers print is shown by the driver. Defaults to True. [1]\n\n",
    );
  });

  test("of a question about states is the one about states, and said once", async () => {
    const types = "A balancer is one of three types: application, network or gateway.";
    const text = await quotedAnswer("What are the three states of a balancer?", [
      ...[1, 2, 3].map((number) => passage(number, types)),
      passage(4, "A balancer is in one of three states: `provisioning`, `active` or `failed`.", {
        relevance: 0.9,
      }),
    ]);
    expect(text).toStartWith("Quoted:\n\n> A balancer is in one of three states");
    expect(text.split(types).length).toBeLessThanOrEqual(2);
  });

  test("of a question about trouble is the warning, in whatever words", async () => {
    const text = await quotedAnswer("subprocess hangs on large output", [
      passage(
        1,
        [
          "The full function signature is largely the same as that of the constructor: most of the arguments to this function are passed through to that interface.",
          "> [!WARNING]\n> This will deadlock when using `stdout=PIPE` and the child process generates enough output to a pipe such that it blocks waiting for the pipe buffer to accept more data. Use `communicate()` to avoid that.",
        ].join("\n\n"),
        { title: "subprocess" },
      ),
    ]);
    expect(text).toStartWith("Quoted:\n\n**subprocess**\n\n> > This will deadlock");
  });

  test("of a question how to do something is not from the release notes", async () => {
    const text = await quotedAnswer("How do I install Acme?", [
      passage(1, "Acme 4 install size is 23% smaller than before.", { title: "Release notes" }),
      passage(2, "To install Acme, copy the binary to a folder of your PATH.", { relevance: 0.9 }),
    ]);
    expect(text).toStartWith("Quoted:\n\n> To install Acme, copy the binary");
  });

  test("of a question what something is begins with that thing", async () => {
    const text = await quotedAnswer("What is the driver process?", [
      passage(
        1,
        `This call blocks the driver process until all of the results are available to it. ${FILLER}`,
      ),
      passage(2, `The driver process is the one that runs your script. ${FILLER}`),
    ]);
    expect(text).toStartWith("Quoted:\n\n> The driver process is the one that runs your script. [2]");
  });

  test("of a question how to do something is not the description of some function's parameter", async () => {
    const text = await quotedAnswer("Can I get the task id of the current task?", [
      passage(1, "- **task_id** (str) – Id of the task to update. Defaults to the id of the current task.", {
        headings: ["update_state(task_id=None, state=None)"],
      }),
      passage(2, "Inside of a bound task, `self.request.id` is the id of the current task.", {
        relevance: 0.9,
      }),
    ]);
    expect(text).toStartWith("Quoted:\n\n> Inside of a bound task");
  });

  test("of a comparison has both sides", async () => {
    const text = await quotedAnswer("What is the difference between a task and a job?", [
      passage(1, "A job is a program that someone submits to the cluster.", { title: "Job" }),
      passage(2, "A job can be stopped. Jobs show up in the list of jobs.", { title: "Job list" }),
      passage(3, "A task is one function call that runs on a worker.", { title: "Task", relevance: 0.1 }),
    ]);
    expect(text).toContain("A job is a program");
    expect(text).toContain("A task is one function call");
  });
});

describe("a quote", () => {
  test("is never a name alone, in words or as code, nor code that holds nothing", async () => {
    const text = await quotedAnswer("What is train.SyncConfig?", [
      passage(1, "train.SyncConfig\n\n```\ntrain.SyncConfig\n```\n\n```python\n...\n```", {
        title: "train.SyncConfig",
      }),
      passage(2, "`train.SyncConfig` says how results are copied to the storage.", { relevance: 0.8 }),
    ]);
    expect(text).toBe("Quoted:\n\n> `train.SyncConfig` says how results are copied to the storage. [2]\n\n");
  });

  test("is never markup that nothing has read", async () => {
    for (const markup of [
      ".. group-tab:: Head node IP",
      ":::{note} Head node IP",
      "{{< tabs head-node-ip >}}",
      "{% include head-node-ip.md %}",
      "/// note | Head node IP",
      "<Tabs> Head node IP",
      "import { HeadNode } from './ip'",
    ]) {
      const text = await quotedAnswer("What is the head node IP?", [
        passage(1, markup),
        passage(2, "The IP address of the head node is printed when the cluster starts.", { relevance: 0.5 }),
      ]);
      expect(text, markup).toStartWith("Quoted:\n\n> The IP address of the head node");
      expect(text, markup).not.toContain(markup);
    }
  });

  test("is never a directive of a docs generator, nor what a page says about itself", async () => {
    const text = await quotedAnswer("How do I use the serve config?", [
      passage(1, "To use the serve config:\n\n```{literalinclude} serve.py\n:start-after: __begin__\n```"),
      passage(
        2,
        "This section should help you use the serve config.\n\nPass the serve config to `serve run`.",
        {
          relevance: 0.7,
        },
      ),
    ]);
    expect(text).toStartWith("Quoted:\n\n");
    expect(text).not.toContain("literalinclude");
    expect(text.indexOf("Pass the serve config")).toBeLessThan(
      (text.indexOf("This section") + 1 || 9999) - 1,
    );
  });

  test("does not end where the list that it promises begins", async () => {
    const text = await quotedAnswer("What does useState return?", [
      passage(
        1,
        `${FILLER}\n\n\`useState\` returns an array with exactly two values:\n\n1. The current state.\n2. The \`set\` function.`,
      ),
    ]);
    expect(text).toContain("exactly two values:\n\n> 1. The current state.\n> 2. The `set` function. [1]");
  });

  test("that promises something which is not there is left out", async () => {
    const text = await quotedAnswer("Where is the container?", [
      passage(1, "The container can be found at:"),
      passage(2, "The container is in the registry of the region.", { relevance: 0.9 }),
    ]);
    expect(text).toBe("Quoted:\n\n> The container is in the registry of the region. [2]\n\n");
  });

  test("has the sentence before it where it begins with a word that stands for something there", async () => {
    const text = await quotedAnswer("Does the balancer restart after a crash?", [
      passage(1, `${FILLER}The balancer is watched. It restarts after a crash. ${FILLER}`),
    ]);
    expect(text).toContain("> The balancer is watched. It restarts after a crash.");
  });

  test("stands under its heading where it does not say itself what it is about", async () => {
    const text = await quotedAnswer("What is the default of retention?", [
      passage(1, `${FILLER}\n\n### Retention\n\nThe default is 90 days.`),
    ]);
    expect(text).toBe("Quoted:\n\n**Retention**\n\n> The default is 90 days. [1]\n\n");
  });

  test("does not name the heading again that stands above the quote before it", async () => {
    const text = await quotedAnswer("What is the default of retention?", [
      passage(1, "### Retention\n\nThe default is 90 days."),
      passage(2, "### Retention\n\nThe default of a copy is what its original has.", { relevance: 0.9 }),
    ]);
    expect(text).toContain("90 days");
    expect(text).toContain("what its original has");
    expect(text.match(/\*\*Retention\*\*/g)).toHaveLength(1);
  });

  test("shows code without what its fence says to a docs generator", async () => {
    const code =
      "```js {expectedErrors: {'react-compiler': [4]}} title=\"acme.js\"\nacme.install('/opt');\n```";
    const text = await quotedAnswer("How do I install Acme?", [
      passage(1, `To install Acme, run this:\n\n${code}`),
    ]);
    expect(text).toContain("```js\nacme.install('/opt');\n```");
    expect(text).not.toContain("expectedErrors");
  });

  test("does not say a command as text that is shown as code below", async () => {
    const command = 'acme list-models --region us-west-2 --by-provider zenith --query "models[*].id"';
    const text = await quotedAnswer("How do I list models in a region?", [
      passage(1, `${command} ${command}\n\n\`\`\`sh\n${command}\n\`\`\``, { headings: ["List models"] }),
    ]);
    expect(text.split("--by-provider").length).toBe(2);
  });

  test("of tabs that show the same for several tools is of one of them", async () => {
    const tabs = ["npm install -D acme", "yarn add -D acme", "deno add -D npm:acme"].map(
      (command, index) => `**${["npm", "Yarn", "Deno"][index]}**\n\n\`\`\`sh\n${command}\n\`\`\``,
    );
    const text = await quotedAnswer("How do I install acme?", [
      passage(1, tabs.join("\n\n"), { headings: ["Install"] }),
    ]);
    expect(text.match(/-D/g)).toHaveLength(1);
  });

  test("is not said again by a page of another version", async () => {
    const text = await quotedAnswer("How long is retention?", [
      passage(1, "Retention lasts 90 days unless a site says otherwise."),
      passage(2, "Retention lasts 90 days unless a site of yours says otherwise."),
    ]);
    expect(text.match(/Retention lasts/g)).toHaveLength(1);
  });
});

describe("where the docs only touch on a question", () => {
  const near = passage(1, "Retention lasts 90 days.");

  test("it is said before the quotes that they are not its answer", async () => {
    const text = await quotedAnswer("How long is retention?", [near], { onlyTouches: true });
    expect(text).toBe("Touched on:\n\n> Retention lasts 90 days. [1]\n\n");
  });

  test("a page is named with the section that was found in it, to which the link leads", async () => {
    const text = await quotedAnswer("How do I configure a path alias for the bundler?", [
      passage(1, "The weather is fine.", {
        title: "Weather",
        headings: ["Weather"],
        linkedHeadings: ["Weather", "In the north"],
      }),
    ]);
    expect(text).toBe("Touched on:\n\n- [Weather › In the north](https://docs.example/1)\n");
  });

  test("two pages are named where nothing in them is worth quoting", async () => {
    const text = await quotedAnswer("How do I configure a path alias for the bundler?", [
      passage(1, "The weather is fine.", { title: "Weather" }),
      passage(2, "Nobody thought of anything else.", { title: "Thoughts" }),
      passage(3, "It rains.", { title: "Weather" }),
      passage(4, "Water is wet.", { title: "Water" }),
    ]);
    expect(text).toBe(
      "Touched on:\n\n- [Weather](https://docs.example/1)\n- [Thoughts](https://docs.example/2)\n",
    );
  });
});
