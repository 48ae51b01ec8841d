/** Words that stay small within a title, as the package `title` has it. */
const SMALL = new Set(
  `for and nor but or yet so a an the aboard about above across after against along amid among anti around as at before
  behind below beneath beside besides between beyond by concerning considering despite down during except excepting
  excluding following from in inside into like minus near of off on onto opposite over past per plus regarding round
  save since than through to toward towards under underneath unlike until up upon versus via with within without`.split(
    /\s+/,
  ),
);

/** Names with letters of their own. */
const NAMES = new Map(
  "CLI API HTTP HTTPS JSX DNS URL now.sh now.json vercel.app vercel.json CI CD CDN package.json package.lock yarn.lock GitHub GitLab CSS Sass JS JavaScript TypeScript HTML WordPress Next.js Node.js Webpack Docker Bash Kubernetes SWR TinaCMS UI UX TS TSX iPhone iPad watchOS iOS iPadOS macOS PHP composer.json composer.lock CMS SQL C C# GraphQL GraphiQL JWT JWTs SSR CORS ESLint"
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);

/** The title that a page or folder has by its name alone. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_]/g, " ").toLowerCase().trim().split(/\s+/);
  return words
    .map((word, index) => {
      const known = NAMES.get(word);
      if (known !== undefined) return known;
      const isWithin = index > 0 && index < words.length - 1;
      return isWithin && SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join(" ");
}
