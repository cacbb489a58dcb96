import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { MAXIMUM_UNITS, UNITS_OF_QUERY, unitsLeft } from '../../aws/read-budget.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { keyAttribute, number } from '../form/attributes.ts';
import { historyKey } from '../form/log-table.ts';
import { isVisible } from '../form/owner.ts';
import { and, compare, readExpression } from '../write/expression.ts';
import {
  imageIn,
  isShown,
  rowKey,
  VERSIONS_TABLE,
  type Version,
  versionIn,
  versionOf,
} from './versions-table.ts';

/** The stream brings a version in this time after its end, in ms. After it, nothing is worth waiting for. */
const LAG_MS = 10_000;
/** Versions of one read. */
const TOGETHER = 20;
/** Versions of a read for the newest one. The wait for the stream needs the two before it. */
const FEW = 3;
/** The read units that a wait for the stream leaves to the request. */
const KEPT_UNITS = MAXIMUM_UNITS - 500;

/**
 * The versions of one item, as far as a caller may see the item.
 * All functions @throws Unavailable if DynamoDB does not respond
 *
 * Source: Amazon DynamoDB API Reference, Query and GetItem.
 */
export class Versions {
  readonly #resource: Resource;
  readonly #id: number | string;
  readonly #owner: string | undefined;
  #present: Promise<Version | undefined> | undefined;

  constructor(resource: Resource, caller: Caller, id: number | string) {
    this.#resource = resource;
    this.#id = id;
    this.#owner = ownerOf(resource, caller);
  }

  /** The present version; undefined if the item does not exist. */
  present(): Promise<Version | undefined> {
    this.#present ??= this.#readPresent();
    return this.#present;
  }

  /** One version; undefined if the item has no such version. */
  async version(version: number): Promise<Version | undefined> {
    const present = await this.present();
    if (present?.item.version === version) return present;
    if (!Number.isSafeInteger(version) || version < 1 || (present && version > present.item.version))
      return undefined;
    for await (const _ of attempts(RETRIES.version)) {
      const kept = await this.#readKept(version);
      if (kept) return kept;
      const newest = present ?? (await this.#readPage(undefined, 1))[0];
      if (!newest || version > newest.item.version || !isRecent(newest)) return undefined;
    }
    return undefined;
  }

  /** True if one more read would pass the read units of a request. */
  get isSpent(): boolean {
    return unitsLeft() < UNITS_OF_QUERY;
  }

  /** Reads the newest version before `below`; undefined if the item has no such version. */
  async newest(below?: number): Promise<Version | undefined> {
    return (await this.newestFirst(below, FEW).next()).value;
  }

  /**
   * The version at this time (ms since the epoch); undefined if the item did not exist. It searches by halves: versions
   * are numbered in the order of time.
   */
  async at(time: number): Promise<Version | undefined> {
    const present = await this.present();
    const newest = present ?? (await this.newest());
    if (present && present.item.updatedAt > time && isRecent(present)) await this.#firstPage(present, FEW);
    let found = newest && newest.item.updatedAt <= time ? newest : undefined;
    for (let low = 1, high = (found ? 0 : (newest?.item.version ?? 0)) - 1; low <= high; ) {
      const middle = Math.ceil((low + high) / 2);
      const [version] = await this.#readPage(middle + 1, 1);
      if (version && version.item.updatedAt > time) high = version.item.version - 1;
      else {
        found = version ?? found;
        low = middle + 1;
      }
    }
    return found?.removal && found.removal.at <= time ? undefined : found;
  }

  /** All versions before `below`, the newest one first. `together`: those of one read. */
  async *newestFirst(below?: number, together = TOGETHER): AsyncGenerator<Version, undefined> {
    const present = await this.present();
    const isFirst = present && (below === undefined || present.item.version < below);
    if (isFirst) yield present;
    let page =
      below === undefined ? await this.#firstPage(present, together) : await this.#readPage(below, together);
    for (let last = page.at(-1); last; last = page.at(-1)) {
      yield* page;
      page = await this.#readPage(last.item.version, together);
    }
    return undefined;
  }

  /**
   * The first versions before the present one, as soon as the stream has brought them. It brings them in order, and the
   * last one before a removal is there at once. After a restoration of tables, rows can be newer than the item.
   */
  async #firstPage(present: Version | undefined, together: number): Promise<Version[]> {
    let page: Version[] = [];
    for await (const _ of attempts(RETRIES.version)) {
      page = await this.#readPage(present?.item.version, together);
      if (unitsLeft() < KEPT_UNITS) break;
      const [newest, ...others] = present ? [present, ...page] : page;
      const [second, third] = others;
      const isAwaited = (one: Version | undefined, older: Version | undefined) =>
        one !== undefined && isRecent(one) && !isNext(one, older);
      if (!isAwaited(newest, second) && !isAwaited(second, third)) break;
    }
    return page;
  }

  async #readPresent(): Promise<Version | undefined> {
    const { Item } = await this.#get(
      config.tableName(this.#resource.name),
      keyAttribute(descriptionOf(this.#resource), this.#id),
    );
    return Item && isVisible(Item, this.#owner) ? versionIn(this.#resource, Item) : undefined;
  }

  async #readKept(version: number): Promise<Version | undefined> {
    const { Item } = await this.#get(
      config.tableName(VERSIONS_TABLE.name),
      rowKey(this.#resource, this.#id, version),
    );
    return this.#seen(Item ? [Item] : [])[0];
  }

  #get(TableName: string, Key: Attributes) {
    return orUnavailable(dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true })));
  }

  async #readPage(below: number | undefined, together: number): Promise<Version[]> {
    const isOfItem = compare(VERSIONS_TABLE.key, '=', historyKey(this.#resource, this.#id));
    const { Items = [] } = await orUnavailable(
      dynamoDb().send(
        new QueryCommand({
          TableName: config.tableName(VERSIONS_TABLE.name),
          ...readExpression({
            key:
              below === undefined
                ? isOfItem
                : and(isOfItem, compare(VERSIONS_TABLE.sort, '<', number(below))),
          }),
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: together,
        }),
      ),
    );
    return this.#seen(Items);
  }

  /** The versions that the caller may see, without expired ones. */
  #seen(rows: readonly Attributes[]): Version[] {
    return rows
      .filter((row) => isShown(row) && isVisible(imageIn(row), this.#owner))
      .map((row) => versionOf(this.#resource, row));
  }
}

/** True if the stream may not yet have brought the version before this one. */
const isRecent = (present: Version | undefined): boolean =>
  present !== undefined && currentTime() - present.item.updatedAt < LAG_MS;

/** True if no version is missing between the present one and the newest kept one. */
function isNext({ item }: Version, kept: Version | undefined): boolean {
  if (item.version === 1) return true;
  return kept !== undefined && item.version === kept.item.version + (kept.removal ? 2 : 1);
}
