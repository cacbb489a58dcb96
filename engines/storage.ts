import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { dataFault } from './data-fault.ts';

// Keys are BLOBs, which SQLite compares byte by byte as AWS does. A TEXT collation would have another order.
const SCHEMA = `
CREATE TABLE IF NOT EXISTS tbl (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS item (
  id INTEGER PRIMARY KEY, tbl INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL,
  doc TEXT NOT NULL, size INTEGER NOT NULL, UNIQUE (tbl, pk, sk)) STRICT;
CREATE TABLE IF NOT EXISTS gsi (
  idx INTEGER NOT NULL, ipk BLOB NOT NULL, isk BLOB NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL, item INTEGER NOT NULL,
  PRIMARY KEY (idx, ipk, isk, pk, sk)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bucket (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS object (
  bucket TEXT NOT NULL, key BLOB NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS versioning (bucket TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS version (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, key BLOB NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL,
  UNIQUE (bucket, key, id)) STRICT;
CREATE TABLE IF NOT EXISTS upload (
  id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key BLOB NOT NULL, doc TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS upload_key ON upload (bucket, key, id);
CREATE TABLE IF NOT EXISTS part (
  upload TEXT NOT NULL, number INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (upload, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notification (bucket TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, attributes TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS msg (
  id INTEGER PRIMARY KEY AUTOINCREMENT, queue INTEGER NOT NULL, visible_at INTEGER NOT NULL, receipt TEXT,
  doc TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, tbl INTEGER NOT NULL, at INTEGER NOT NULL, old_doc TEXT, new_doc TEXT,
  expired INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS change_tbl ON change (tbl);
CREATE TABLE IF NOT EXISTS position (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, detail TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS msg_visible ON msg (queue, visible_at, id);
CREATE UNIQUE INDEX IF NOT EXISTS msg_receipt ON msg (receipt) WHERE receipt IS NOT NULL;
`;
// Increase it with every change of a table, so that Storage refuses a folder with another layout.
const LAYOUT = 4;

/** The one SQLite file of all engines. All calls are synchronous. */
export class Storage {
  readonly #lock: DatabaseSync;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The clock of the engines: milliseconds since the epoch. */
  readonly now: () => number;

  /**
   * Opens or creates the data folder. Only one process can use it, because long polls exist only in their own
   * process.
   * @throws Error with the name of the folder, if another process uses it, its layout differs, its database is empty
   * beside objects, or a file is not usable
   */
  constructor(directory: string, now: () => number = Date.now) {
    this.now = now;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#lock = lockDirectory(directory);
    try {
      this.#database = openDatabase(directory);
    } catch (error) {
      this.#lock.close();
      throw error;
    }
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...parameters) as Row | undefined;
  }

  /** Every row. */
  all<Row>(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...parameters) as Row[];
  }

  /**
   * Yields rows one at a time. End the loop before the same statement runs again, because statements are not
   * re-entrant.
   */
  each<Row>(sql: string, ...parameters: SQLInputValue[]): Iterable<Row> {
    return this.#prepared(sql).iterate(...parameters) as Iterable<Row>;
  }

  /** Runs a write. Returns the number of changed rows. */
  run(sql: string, ...parameters: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...parameters).changes);
  }

  /** Runs all of `work` or nothing. `work` is synchronous, so no other request can run in between. */
  transaction<Result>(work: () => Result): Result {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
    this.#lock.close();
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function openDatabase(directory: string): DatabaseSync {
  const path = join(directory, 'engines.sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    const fault = contentFault(database, directory);
    if (fault !== undefined) throw new Error(fault);
    // NORMAL survives kill -9, because the page cache outlives the process. A power cut can lose the last commits.
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;');
    database.exec(`${SCHEMA} PRAGMA user_version=${LAYOUT};`);
    return database;
  } catch (error) {
    database?.close();
    throw named(error, path);
  }
}

/** Why the database does not fit this process or its folder; undefined if it fits. */
function contentFault(database: DatabaseSync, directory: string): string | undefined {
  const found = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get();
  const layout = database.prepare('PRAGMA user_version').get();
  if (found?.tables !== 0 && layout?.user_version !== LAYOUT)
    return `The data folder ${directory} has another layout; delete it or choose another folder.`;
  const objects = join(directory, 'objects');
  if (found?.tables === 0 && existsSync(objects) && readdirSync(objects).length > 0)
    return `The data folder ${directory} has files, but its engines.sqlite is empty: restore engines.sqlite from a backup, or delete the folder.`;
  return undefined;
}

/** An error with a sentence for the user, if there is one. */
function named(error: unknown, path: string): unknown {
  const fault = dataFault(error, path);
  return fault === undefined ? error : new Error(fault, { cause: error });
}

/** SQLite's result code if another connection holds the lock. */
const BUSY = 5;

/** Holds an exclusive SQLite lock, which the operating system releases even after kill -9. */
function lockDirectory(directory: string): DatabaseSync {
  const path = join(directory, 'lock.sqlite');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === BUSY)
      throw new Error(
        `The data folder ${directory} is in use by another process; stop it or choose another.`,
      );
    throw named(error, path);
  }
}
