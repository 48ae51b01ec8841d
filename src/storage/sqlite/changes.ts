/** What this process itself has written of what it keeps in memory: SQLite tells a connection of the others' writes alone. */
export interface OwnChanges {
  note(): void;
  count(): number;
}

export function createOwnChanges(): OwnChanges {
  let noted = 0;
  return {
    note() {
      noted++;
    },
    count: () => noted,
  };
}
