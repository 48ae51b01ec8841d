import { stemmer } from "stemmer";

// Words that nearly every question has, and that say nothing of what it is about. Compared as they are indexed.
const ENGLISH = `a about after all also am an and any anyone are as at be because been before being but by can could
did do does doing done don else ever for from get gets getting give go going got had has have having he help her here
hi hello him his how however i if in into is it its just know let like ll made make makes making many may me might
mine more most much must my need needs no not now of off on one only onto or other our out over own please possible
re s same see shall she should show so some someone something still such t tell than thank thanks that the their them
then there these they thing things this those through to too try trying up us use used user using ve very want wants
was way ways we well were what whats when where whether which while who whom whose why will with without wonder work
works would yes yet you your`;

const words = new Set(ENGLISH.split(/\s+/).flatMap((word) => [word, stemmer(word)]));

/** Whether a term is too common in questions to look for. */
export function isStopWord(term: string): boolean {
  return words.has(term);
}
