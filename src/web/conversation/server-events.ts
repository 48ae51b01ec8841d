const EVENT_CHARACTERS_MAX = 4_000_000;
const LINE_END = /\r\n|\n|\r/g;

/** Cuts a stream of bytes into the data of server-sent events. */
export interface ServerEvents {
  /** The events that are whole with these bytes. They may be cut anywhere, in the middle of a character too. */
  write(bytes: Uint8Array): string[];
}

export function createServerEvents(): ServerEvents {
  const decoder = new TextDecoder();
  let rest = "";
  /** So much of the rest holds no end of a line. */
  let searched = 0;
  let data: string[] = [];
  let characters = 0;

  /** Takes a line; gives an event's data where the line ends one. */
  function takeLine(line: string): string[] {
    if (line === "") {
      const whole = data;
      data = [];
      characters = 0;
      return whole.length === 0 ? [] : [whole.join("\n")];
    }
    // Comments are signs of life; fields other than data say nothing to us.
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    characters += line.length;
    return [];
  }

  return {
    write(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      const events: string[] = [];
      let from = 0;
      LINE_END.lastIndex = searched;
      for (let end = LINE_END.exec(rest); end !== null; end = LINE_END.exec(rest)) {
        // What follows a carriage return at the end may be the other half of its line end.
        if (end[0] === "\r" && end.index + 1 === rest.length) break;
        events.push(...takeLine(rest.slice(from, end.index)));
        from = end.index + end[0].length;
      }
      rest = rest.slice(from);
      searched = rest.endsWith("\r") ? rest.length - 1 : rest.length;
      if (rest.length + characters > EVENT_CHARACTERS_MAX) throw new Error("an event is too large");
      return events;
    },
  };
}
