/** An archive as `ar` writes it, which a package of Debian is. */
export function ar(members: readonly [name: string, bytes: Uint8Array][], changedAt: number): Uint8Array {
  const parts = members.flatMap(([name, bytes]) => {
    const fields: [text: string, length: number][] = [
      [name, 16],
      [String(changedAt), 12],
      ["0", 6],
      ["0", 6],
      ["100644", 8],
      [String(bytes.length), 10],
    ];
    const header = `${fields.map(([text, length]) => text.padEnd(length)).join("")}\`\n`;
    return [Buffer.from(header), bytes, Buffer.from(bytes.length % 2 === 1 ? "\n" : "")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
