/** Counts how often the event loop comes round, which it does only while what is tested lets others run. */
export function countTurns() {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  return {
    end: () => {
      isOver = true;
      return turns;
    },
  };
}
