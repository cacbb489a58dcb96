import type { JsonObject } from '../json/value.ts';
import type { LinkFact } from './link.ts';

/**
 * The bytes of a binary property, as its item names them. `key` identifies one write: no other bytes ever have it.
 * `size` in bytes, `sha256` in base64, `storedAt` in ms since the epoch.
 */
export interface StoredBinary {
  readonly key: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
  readonly storedAt: number;
}

/** A version of an item, and the time at which it began, in ms since the epoch. */
export interface Moment {
  readonly version: number;
  readonly time: number;
  readonly item: Item;
}

/** The place of a version among those of its item. Source: RFC 7089 §2.2.3. */
export interface Memento {
  readonly version: number;
  readonly previous: Moment | undefined;
  readonly next: Moment | undefined;
  /** The links of the representation, without base path. */
  readonly links: readonly LinkFact[];
}

/** One stored item. `version` increases with every change; times are milliseconds since the epoch. */
export interface Item {
  readonly id: number | string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The subject of the token of the request that created the item; undefined if it is unknown. */
  readonly createdBy?: string | undefined;
  /** The subject of the token of the request that made this version; undefined if it is unknown. */
  readonly updatedBy?: string | undefined;
  /** The owner, as `ownerOf` names it; undefined if the items of the resource have no owners. */
  readonly owner?: string | undefined;
  /** Declared fields (integers as number, decimals as Decimal, timestamps as ms) and open properties. */
  readonly values: JsonObject;
  /** The binary properties that have bytes, by name. No name is also in `values`. */
  readonly binaries?: Readonly<Record<string, StoredBinary>>;
  /**
   * The attributes whose stored form the description does not understand. Representations show no value of such an
   * item.
   * Source: Specification 13.1.
   */
  readonly unreadable?: readonly string[];
  /** The fields that the description declares as internal. */
  readonly internal: Readonly<Record<string, string | number | undefined>>;
}
