import { authorizationHeader } from "@docent/kernel/lib/authorization";

/** What a variable holds is sent as it is where it names its scheme. A bare token is a bearer's. */
export const authorizationOf = (secret: string) =>
  authorizationHeader(secret.includes(" ") ? secret : `Bearer ${secret}`);
