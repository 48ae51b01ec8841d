/** Standards by the names that `.St` gives them. */
const STANDARDS: Readonly<Record<string, string>> = {
  "-ansiC": "ANSI X3.159-1989 (“ANSI C89”)",
  "-ansiC-89": "ANSI X3.159-1989 (“ANSI C89”)",
  "-isoC": "ISO/IEC 9899:1990 (“ISO C90”)",
  "-isoC-90": "ISO/IEC 9899:1990 (“ISO C90”)",
  "-isoC-amd1": "ISO/IEC 9899/AMD1:1995 (“ISO C90, Amendment 1”)",
  "-isoC-tcor1": "ISO/IEC 9899/TCOR1:1994 (“ISO C90, Technical Corrigendum 1”)",
  "-isoC-tcor2": "ISO/IEC 9899/TCOR2:1995 (“ISO C90, Technical Corrigendum 2”)",
  "-isoC-99": "ISO/IEC 9899:1999 (“ISO C99”)",
  "-isoC-2011": "ISO/IEC 9899:2011 (“ISO C11”)",
  "-p1003.1": "IEEE Std 1003.1 (“POSIX.1”)",
  "-p1003.1-88": "IEEE Std 1003.1-1988 (“POSIX.1”)",
  "-p1003.1-90": "IEEE Std 1003.1-1990 (“POSIX.1”)",
  "-p1003.1-96": "ISO/IEC 9945-1:1996 (“POSIX.1”)",
  "-p1003.1b": "IEEE Std 1003.1b (“POSIX.1b”)",
  "-p1003.1b-93": "IEEE Std 1003.1b-1993 (“POSIX.1b”)",
  "-p1003.1c-95": "IEEE Std 1003.1c-1995 (“POSIX.1c”)",
  "-p1003.1g-2000": "IEEE Std 1003.1g-2000 (“POSIX.1g”)",
  "-p1003.1-2001": "IEEE Std 1003.1-2001 (“POSIX.1”)",
  "-p1003.1-2004": "IEEE Std 1003.1-2004 (“POSIX.1”)",
  "-p1003.1-2008": "IEEE Std 1003.1-2008 (“POSIX.1”)",
  "-p1003.1-2024": "IEEE Std 1003.1-2024 (“POSIX.1”)",
  "-p1003.2": "IEEE Std 1003.2 (“POSIX.2”)",
  "-p1003.2-92": "IEEE Std 1003.2-1992 (“POSIX.2”)",
  "-p1003.2a-92": "IEEE Std 1003.2a-1992 (“POSIX.2”)",
  "-susv1": "Version 1 of the Single UNIX Specification (“SUSv1”)",
  "-susv2": "Version 2 of the Single UNIX Specification (“SUSv2”)",
  "-susv3": "Version 3 of the Single UNIX Specification (“SUSv3”)",
  "-susv4": "Version 4 of the Single UNIX Specification (“SUSv4”)",
  "-svid4": "System V Interface Definition, Fourth Edition (“SVID4”)",
  "-xpg3": "X/Open Portability Guide Issue 3 (“XPG3”)",
  "-xpg4": "X/Open Portability Guide Issue 4 (“XPG4”)",
  "-xpg4.2": "X/Open Portability Guide Issue 4, Version 2 (“XPG4.2”)",
  "-xns5": "X/Open Networking Services Issue 5 (“XNS5”)",
  "-xns5.2": "X/Open Networking Services Issue 5.2 (“XNS5.2”)",
  "-iso9945-1-90": "ISO/IEC 9945-1:1990 (“POSIX.1”)",
  "-iso9945-1-96": "ISO/IEC 9945-1:1996 (“POSIX.1”)",
  "-iso9945-2-93": "ISO/IEC 9945-2:1993 (“POSIX.2”)",
  "-ieee754": "IEEE Std 754-1985",
  "-iso8601": "ISO 8601",
  "-iso8802-3": "ISO/IEC 8802-3:1989",
};

export const standard = (name: string) => STANDARDS[name] ?? name.replace(/^-/, "");

/** Libraries by the names that `.Lb` gives them; others are called by their own. */
const LIBRARIES: Readonly<Record<string, string>> = {
  libc: "Standard C Library (libc, -lc)",
  libm: "Math Library (libm, -lm)",
  libpthread: "POSIX Threads Library (libpthread, -lpthread)",
  libcurses: "Curses Library (libcurses, -lcurses)",
  libcrypt: "Crypt Library (libcrypt, -lcrypt)",
  libutil: "System Utilities Library (libutil, -lutil)",
  libkvm: "Kernel Data Access Library (libkvm, -lkvm)",
};

export const library = (name: string) => LIBRARIES[name] ?? `library “${name}”`;

/** Systems whose macros write their names, with a version behind. */
const SYSTEMS: Readonly<Record<string, string>> = {
  Nx: "NetBSD",
  Ox: "OpenBSD",
  Fx: "FreeBSD",
  Dx: "DragonFly",
  Bsx: "BSD/OS",
  Ux: "UNIX",
  At: "AT&T UNIX",
};

/** A system by its macro; undefined for any other one. */
export function systemOf(macro: string, version: string): string | undefined {
  if (macro === "Bx") {
    const [number = "", variant] = version.split(" ");
    const dashed = variant === undefined ? "" : `-${variant.charAt(0).toUpperCase()}${variant.slice(1)}`;
    return `${number}BSD${dashed}`;
  }
  if (macro === "At" && version !== "") return atOf(version);
  const name = SYSTEMS[macro];
  return name === undefined ? undefined : `${name} ${version}`.trim();
}

function atOf(version: string): string {
  const edition = /^v([1-7])$/.exec(version)?.[1];
  if (edition !== undefined) return `Version ${edition} AT&T UNIX`;
  if (version === "32v") return "Version 7 AT&T UNIX/32V";
  if (version === "III") return "AT&T System III UNIX";
  const release = /^V(?:\.(\d))?$/.exec(version);
  if (release === null) return `AT&T UNIX ${version}`;
  return release[1] === undefined ? "AT&T System V UNIX" : `AT&T System V Release ${release[1]} UNIX`;
}
