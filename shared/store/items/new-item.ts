import type { JsonObject } from '../../json/value.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import { withComputed } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { newIdentifier } from './identifier.ts';

const NOTHING: Item['internal'] = {};

/**
 * A new item of a caller, with the values that the service computes or sets at first. `now`: ms since the epoch. `id`:
 * undefined: a fresh one, which another item may have. The condition of the write detects that.
 */
export const newItem = (
  resource: Resource,
  caller: Caller,
  now: number,
  values: JsonObject,
  id = newIdentifier(now),
): Item => ({
  id,
  version: 1,
  createdAt: now,
  updatedAt: now,
  createdBy: caller.subject,
  updatedBy: caller.subject,
  owner: resource.owner && ownerOf(resource, caller),
  values: withComputed(descriptionOf(resource), withState(resource, values)),
  internal: NOTHING,
});

/** The values with the first state of the process, if the resource states one and an own action sets no other. */
const withState = ({ process }: Resource, values: JsonObject): JsonObject =>
  process ? { [process.field]: process.initial, ...values } : values;
