import type { Database } from "bun:sqlite";
import { and, asc, count, desc, eq, getTableColumns, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { EndedAtProvider, ReaderSessionStore, SiteSecretStore } from "../../../readers/stores.ts";
import { fieldsOf } from "../../rows/fields.ts";
import { fromReaderSession, toReaderSession } from "../../rows/people/readers.ts";
import { readerSecrets, readerSessions } from "../../sql/tables/people.ts";
import { later } from "../later.ts";
import { inOneWrite } from "../one-write.ts";
import { typed } from "../typed.ts";

/** What sites sign their readers' tokens with. */
export function createSiteSecretStore(database: Database): SiteSecretStore {
  const db = typed(database);
  const ofSite = eq(readerSecrets.siteId, sql.placeholder("siteId"));
  const list = later(() =>
    db
      .select()
      .from(readerSecrets)
      .where(ofSite)
      .orderBy(asc(readerSecrets.createdAt), asc(readerSecrets.id))
      .prepare(),
  );
  const noteUse = later(() =>
    db
      .update(readerSecrets)
      .set({ lastUsedAt: sql`max(coalesce(${readerSecrets.lastUsedAt}, 0), ${sql.placeholder("at")})` })
      .where(eq(readerSecrets.id, sql.placeholder("id")))
      .prepare(),
  );
  return {
    async add(secret, most) {
      return inOneWrite(database, () => {
        const isTheirs = eq(readerSecrets.siteId, secret.siteId);
        const has = db.select({ has: count() }).from(readerSecrets).where(isTheirs).get()?.has ?? 0;
        if (has >= most) return false;
        db.insert(readerSecrets).values(secret).run();
        return true;
      });
    },
    async list(siteId) {
      return list.all({ siteId }).map(fieldsOf);
    },
    async end(siteId, id) {
      const isIt = and(eq(readerSecrets.siteId, siteId), eq(readerSecrets.id, id));
      return db.delete(readerSecrets).where(isIt).returning({ id: readerSecrets.id }).get() !== undefined;
    },
    async touch(uses) {
      inOneWrite(database, () => {
        for (const [id, at] of uses) noteUse.run({ id, at });
      });
    },
  };
}

/** Browsers in which readers have signed in. */
export function createReaderSessionStore(database: Database): ReaderSessionStore {
  const db = typed(database);
  const { secretHash: _, ...columns } = getTableColumns(readerSessions);
  const finding = (condition: SQL) =>
    later(() => db.select(columns).from(readerSessions).where(condition).prepare());
  const byHash = finding(eq(readerSessions.secretHash, sql.placeholder("hash")));
  const byId = finding(eq(readerSessions.id, sql.placeholder("id")));
  const noteUse = later(() =>
    db
      .update(readerSessions)
      .set({ lastUsedAt: sql`max(${readerSessions.lastUsedAt}, ${sql.placeholder("at")})` })
      .where(eq(readerSessions.id, sql.placeholder("id")))
      .prepare(),
  );
  return {
    async add(session, secretHash, { most, now, usedAfter }) {
      const { issuer, subject } = session.identity;
      const isOver = or(lte(readerSessions.expiresAt, now), lte(readerSessions.lastUsedAt, usedAfter));
      const beyond = db
        .select({ id: readerSessions.id })
        .from(readerSessions)
        .where(and(eq(readerSessions.issuer, issuer), eq(readerSessions.subject, subject)))
        .orderBy(desc(readerSessions.lastUsedAt), desc(readerSessions.id))
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(most - 1);
      inOneWrite(database, () => {
        db.delete(readerSessions).where(isOver).run();
        db.delete(readerSessions).where(inArray(readerSessions.id, beyond)).run();
        db.insert(readerSessions)
          .values({ ...fromReaderSession(session), secretHash })
          .run();
      });
    },
    async find(hash) {
      const row = byHash.get({ hash });
      return row && toReaderSession(row);
    },
    async findById(id) {
      const row = byId.get({ id });
      return row && toReaderSession(row);
    },
    async end(id) {
      db.delete(readerSessions).where(eq(readerSessions.id, id)).run();
    },
    async endOf(ended) {
      return db.delete(readerSessions).where(isEnded(ended)).returning({ id: readerSessions.id }).all()
        .length;
    },
    async touch(uses) {
      inOneWrite(database, () => {
        for (const [id, at] of uses) noteUse.run({ id, at });
      });
    },
  };
}

const isEnded = ({ issuer, sid, subject }: EndedAtProvider) =>
  and(
    eq(readerSessions.issuer, issuer),
    sid === undefined ? undefined : eq(readerSessions.sid, sid),
    subject === undefined ? undefined : eq(readerSessions.subject, subject),
  );
