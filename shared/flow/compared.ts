import { hasPreconditions } from '../http/conditional/conditions.ts';
import type { Understood } from './exchange.ts';

/**
 * True if look-up reads the item only to compare it with the content: a PUT that changes nothing writes nothing. Such a
 * PUT has no condition. It replaces any version, also one that this release cannot read.
 *
 * Source: Specification 3.6.
 */
export const isCompared = ({
  endpoint,
  content,
  fieldLimits,
  preconditions,
}: Pick<Understood, 'endpoint' | 'content' | 'fieldLimits' | 'preconditions'>): boolean =>
  content.kind === 'item' &&
  !endpoint.creates &&
  !hasPreconditions(preconditions) &&
  (fieldLimits?.kept.length ?? 0) === 0;
