import type { Database } from "bun:sqlite";
import { analyze } from "../search/analyze.ts";

export interface IndexedPassage {
  id: number;
  siteId: number;
  title: string;
  headings: string[];
  text: string;
}

/** The term that every passage of a site has, and no other passage. */
export const siteTerm = (siteId: number) => `s${siteId}`;

/** Writes passages to the keyword index, as `analyze` cuts them. */
export function createPassageIndexer(database: Database): (passage: IndexedPassage) => void {
  const insert = database.query(
    "INSERT INTO passage_terms (rowid, site, title, headings, body) VALUES (?, ?, ?, ?, ?)",
  );
  return ({ id, siteId, title, headings, text }) => {
    insert.run(id, siteTerm(siteId), terms(title), terms(headings.join("\n")), terms(text));
  };
}

const terms = (text: string) => analyze(text).join(" ");
