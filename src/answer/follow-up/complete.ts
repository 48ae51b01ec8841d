import { alternativesIn, withAlternatives } from "./alternatives.ts";
import { leans, ownWords } from "./gate.ts";
import { openingOf } from "./openings.ts";
import { endsWithQuestion, itemIn, offerIn } from "./past-answer.ts";
import { type Subject, topicFor } from "./topic.ts";
import { isAction, tellingWords } from "./words.ts";

/** "not nginx, Caddy", "not nginx but Caddy". */
const DENIAL = /^not\s+([^,]{1,80}?)(?:,\s*(?:but\s+)?|\s+but\s+)(.{1,200})$/iu;

/** A question completed by what was talked about, or undefined where it stands alone. */
export function complete(question: string, subject: Subject): string | undefined {
  const opened = openingOf(question);
  if (opened.isPleasantry) return undefined;
  const { rest } = opened;
  const offer = offerIn(subject.answer);
  if (opened.isYes) return offer === undefined ? subject.question : accepted(offer, subject);
  const item = itemIn(subject.answer, rest);
  if (item !== undefined) return saysNothing(rest) ? accepted(item, subject) : `${item}: ${rest}`;
  if (opened.isCorrection) return corrected(rest, subject);
  const said = new Set(tellingWords(`${subject.question} ${subject.answer}`));
  const wasAsked = endsWithQuestion(subject.answer) && !opened.isContinued;
  if (!leans(opened, { wasSaid: (word) => said.has(word), wasAsked })) return undefined;
  const about = opened.beginsWithYes && offer !== undefined ? { ...subject, question: offer } : subject;
  return joined(rest, about);
}

/** What was offered or listed says mostly by itself what it is about. */
function accepted(offer: string, subject: Subject): string {
  return ownWords(offer).length > 0 || alternativesIn(offer).length > 0 ? offer : joined(offer, subject);
}

/** What was asked for by mistake gives way to what was meant. */
function corrected(rest: string, subject: Subject): string {
  const [, denied = "", wanted = rest] = DENIAL.exec(rest) ?? [];
  const at = denied === "" ? -1 : subject.question.toLowerCase().indexOf(denied.toLowerCase());
  if (at >= 0) {
    const after = subject.question.slice(at + denied.length);
    return subject.question.slice(0, at) + wanted.replace(/[?.!]+$/, "") + after;
  }
  const own = ownWords(wanted);
  const before = new Set(tellingWords(subject.question));
  if (own.length >= 2 && !own.some((word) => before.has(word))) return wanted;
  return joined(wanted, subject);
}

/** The question before with another system, language or version in it; or the question with its topic before it. */
function joined(rest: string, subject: Subject): string {
  if (saysNothing(rest) && alternativesIn(rest).length > 0) {
    const before = subject.question.replace(/[\s?？.!。！]+$/u, "");
    return withAlternatives(subject.question, rest) ?? `${before} ${rest}`;
  }
  const topic = topicFor(rest, subject);
  return topic === "" ? rest : `${topic}: ${rest}`;
}

/** Whether it has no word of its own that says what to look for: "on Windows", "the second one". */
const saysNothing = (text: string) => ownWords(text).length === 0 && !tellingWords(text).some(isAction);
