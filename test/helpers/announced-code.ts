/** Sentences of no use, as many as make a passage of their own. */
export const filler = (about: string) =>
  Array.from({ length: 24 }, (_, index) => `Line ${index} on ${about} says little of anything.`).join(" ");

const code = (lines: number) =>
  `\`\`\`sh\n${Array.from({ length: lines }, (_, index) => `quorumctl member add --name node-${index} --port 70${index}`).join("\n")}\n\`\`\``;

/** Code so long that it is a passage of its own: the one before it ends at the colon that announces it. */
export const LONG_CODE = code(32);
export const SHORT_CODE = code(1);

/** A page with three sections in a row and two below the second, of which code that a sentence announces is a part. */
export const ANNOUNCING_PAGE = `# Server

${filler("tea")}

## Votes

${filler("wool")}

The quorum is three. Run this:

${LONG_CODE}

### Members

${filler("silk")}

To add one member:

${SHORT_CODE}

### Roles

${filler("flax")}

## Disks

${filler("ice")}
`;
