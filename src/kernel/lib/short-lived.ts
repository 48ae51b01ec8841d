/**
 * What the environment of a process says that reads pages and ends: it does without the last of the runtime's compilers. That
 * one would take a fourth of all that processors do for it, and even thousands of pages are not read faster with what it makes.
 */
export const SHORT_LIVED: Readonly<Record<string, string>> = { BUN_JSC_useFTLJIT: "0" };
