import { SQL } from "bun";

const SILENT = "ERR_POSTGRES_CONNECTION_SILENT";
const BUSY = "ERR_POSTGRES_POOL_BUSY";
/** The driver's word for a connection that did not come about in time. */
const NOT_CONNECTED = "ERR_POSTGRES_CONNECTION_TIMEOUT";
/** query_canceled: PostgreSQL itself has ended what ran for too long. */
const ENDED = "57014";

/** PostgreSQL ends by itself what takes too long, and says so. Where it has not done so for that much longer, it is silent. */
const LATER_MS = 1000;

/** What a query answers; an error where nothing comes for so long, and not soon after. */
export async function answered<T>(
  query: PromiseLike<T>,
  waitMs: number,
  onSilence: () => void = () => {},
): Promise<T> {
  const silent = Promise.withResolvers<never>();
  const giveUp = () => {
    silent.reject(withCode("PostgreSQL does not answer", SILENT));
    onSilence();
  };
  // Where this process stood still itself, what has arrived meanwhile is read before it is called silence.
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, LATER_MS);
  }, waitMs);
  try {
    return await Promise.race([query, silent.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The failure of a statement that found all connections in use, for as long as it may wait. */
export const busy = (): Error => withCode("all connections of the pool are in use", BUSY);

/** As the driver says it. */
export const closed = (): Error => withCode("Connection closed", "ERR_POSTGRES_CONNECTION_CLOSED");

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

/** Whether nothing came in time, which may be for the load; no refusal, and no end of the connection. */
export const isSilence = (error: unknown): boolean =>
  stateOf(error) === ENDED ||
  (error instanceof Error &&
    "code" in error &&
    [SILENT, BUSY, NOT_CONNECTED].some((code) => code === error.code));

/** The SQLSTATE of an error that PostgreSQL raised; empty for any other. */
export const stateOf = (error: unknown): string =>
  error instanceof SQL.PostgresError && error.errno !== undefined ? String(error.errno) : "";
