import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The one SQLite file of all engines, and the folder of object bytes beside it. All calls are synchronous. */
export interface Storage {
  /** The first row, or undefined. */
  get<Row>(sql: string, ...parameters: SQLInputValue[]): Row | undefined;
  /** Every row. */
  all<Row>(sql: string, ...parameters: SQLInputValue[]): Row[];
  /** Rows one at a time. End the loop before the same statement runs again: statements are not re-entrant. */
  each<Row>(sql: string, ...parameters: SQLInputValue[]): Iterable<Row>;
  /** Runs a write; answers the row id of an insert and the number of changed rows. */
  run(sql: string, ...parameters: SQLInputValue[]): { lastInsertRowid: number; changes: number };
  /** All of `work` or nothing. `work` is synchronous, so no other request can come in between. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

// Keys are BLOBs, compared byte by byte as AWS compares them; a TEXT collation would order them otherwise.
const SCHEMA = `
CREATE TABLE IF NOT EXISTS tbl (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS item (
  id INTEGER PRIMARY KEY, tbl INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL,
  doc TEXT NOT NULL, size INTEGER NOT NULL, UNIQUE (tbl, pk, sk)) STRICT;
CREATE TABLE IF NOT EXISTS gsi (
  idx INTEGER NOT NULL, ipk BLOB NOT NULL, isk BLOB NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL, item INTEGER NOT NULL,
  PRIMARY KEY (idx, ipk, isk, pk, sk)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bucket (name TEXT PRIMARY KEY, created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS object (
  id INTEGER PRIMARY KEY, bucket TEXT NOT NULL, key BLOB NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL,
  etag TEXT NOT NULL, modified INTEGER NOT NULL, headers TEXT NOT NULL, UNIQUE (bucket, key)) STRICT;
CREATE TABLE IF NOT EXISTS queue (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, attributes TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS msg (
  id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, queue INTEGER NOT NULL, visible_at INTEGER NOT NULL,
  sent_at INTEGER NOT NULL, received_at INTEGER, receive_count INTEGER NOT NULL DEFAULT 0, receipt TEXT,
  body TEXT NOT NULL, group_id TEXT) STRICT;
CREATE INDEX IF NOT EXISTS msg_visible ON msg (queue, visible_at, id);
CREATE UNIQUE INDEX IF NOT EXISTS msg_receipt ON msg (receipt) WHERE receipt IS NOT NULL;
`;
// Increase it with every change of the schema: another layout is refused, not misread.
const LAYOUT = 2;

/**
 * Opens (or creates) the data folder. One process owns it: a second one is refused with an Error that names
 * the folder, because long polls and open downloads are known only to the process that holds them.
 */
export function openStorage(directory: string): Storage {
  mkdirSync(directory, { recursive: true });
  const lock = lockDirectory(directory);
  const database = new DatabaseSync(join(directory, 'engines.sqlite'));
  // NORMAL survives kill -9 (the page cache outlives the process); a power cut may lose the last commits.
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;');
  refuseOtherLayout(database, directory);
  database.exec(`${SCHEMA} PRAGMA user_version=${LAYOUT};`);
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    get: <Row>(sql: string, ...parameters: SQLInputValue[]) =>
      prepared(sql).get(...parameters) as Row | undefined,
    all: <Row>(sql: string, ...parameters: SQLInputValue[]) => prepared(sql).all(...parameters) as Row[],
    each: <Row>(sql: string, ...parameters: SQLInputValue[]) =>
      prepared(sql).iterate(...parameters) as Iterable<Row>,
    run(sql, ...parameters) {
      const { lastInsertRowid, changes } = prepared(sql).run(...parameters);
      return { lastInsertRowid: Number(lastInsertRowid), changes: Number(changes) };
    },
    transaction(work) {
      prepared('BEGIN IMMEDIATE').run();
      try {
        const result = work();
        prepared('COMMIT').run();
        return result;
      } catch (error) {
        if (database.isTransaction) prepared('ROLLBACK').run();
        throw error;
      }
    },
    close() {
      statements.clear();
      database.close();
      lock.close();
    },
  };
}

function refuseOtherLayout(database: DatabaseSync, directory: string): void {
  const found = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get();
  const layout = database.prepare('PRAGMA user_version').get();
  if (found?.tables === 0 || layout?.user_version === LAYOUT) return;
  database.close();
  throw new Error(`The data folder ${directory} has another layout; delete it or choose another folder.`);
}

/** Holds an exclusive SQLite lock, which the operating system releases even after kill -9. */
function lockDirectory(directory: string): DatabaseSync {
  const lock = new DatabaseSync(join(directory, 'lock.sqlite'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock.close();
    throw new Error(
      `The data folder ${directory} is in use by another process; stop it or choose another folder.`,
    );
  }
}
