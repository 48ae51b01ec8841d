import { plugin } from "bun";

// Loaded before all tests (bunfig.toml). Plain `bun test` gives each test five seconds, which a busy machine needs for some
// that take a tenth of that alone: the limit is for tests that hang, and no test says how fast a machine is. It holds for
// the file that sets it alone, so each file of tests is given it as it is loaded, in its first line, for the others to keep
// their numbers.
const LIMIT_MS = 300_000;

plugin({
  name: "limit-for-hanging",
  setup(build) {
    build.onLoad({ filter: /\.test\.tsx?$/ }, async ({ path }) => ({
      loader: path.endsWith("x") ? "tsx" : "ts",
      contents: `import { setDefaultTimeout as limitTests } from "bun:test"; limitTests(${LIMIT_MS}); ${await Bun.file(path).text()}`,
    }));
  },
});
