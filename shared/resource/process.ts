import { type Fault, type Problem, problem } from '../http/problem.ts';
import { formatPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Item } from './item.ts';
import type { LinkFact } from './link.ts';

/**
 * A business process: the state of a new item, and for each transition, the states that allow it and the state after
 * it. A client may repeat the last transition. Source: Specification 8.1, 8.2.
 */
export interface Process<State extends string = string> {
  /** The field that holds the state. */
  readonly field: string;
  readonly initial: State;
  readonly transitions: Readonly<Record<string, { readonly from: readonly State[]; readonly to: State }>>;
}

/** Returns the transitions that a state allows, in the order of their declaration. */
export const allowedTransitions = ({ transitions }: Process, state: unknown): string[] =>
  Object.keys(transitions).filter((name) => transitions[name]?.from.some((one) => one === state));

/** Returns the state in a document; undefined if it has none. A null counts as left out. */
export const sentState = (process: Process | undefined, document: JsonObject): JsonValue | undefined =>
  (process && Object.hasOwn(document, process.field) ? document[process.field] : undefined) ?? undefined;

/**
 * Returns the fault of a state in a representation, if the item has another one: only transitions change it.
 *
 * Source: Specification 2.18.
 */
export function faultsOfState(
  process: Process | undefined,
  sent: JsonValue | undefined,
  present: JsonValue | undefined = process?.initial,
): Fault[] {
  if (!process || sent === undefined || sent === present) return [];
  const { field, transitions } = process;
  const steps = allowedTransitions(process, present).filter((name) => transitions[name]?.to === sent);
  const advice = steps.length > 0 ? `follow ${steps.join(' or ')}` : 'only transitions change it';
  return [{ pointer: formatPointer([field]), detail: `must be ${present}, or be left out: ${advice}` }];
}

/** Returns the problem of a representation with another state than its item; undefined if the item has this state. */
export function problemOfState(
  process: Process | undefined,
  sent: JsonValue | undefined,
  { values }: Pick<Item, 'values'>,
): Problem<'conflict'> | undefined {
  const currentStatus = process && (values[process.field] ?? null);
  const errors = faultsOfState(process, sent, currentStatus);
  const detail = `The ${process?.field} of the item is ${currentStatus}. Read the item again, or follow a transition`;
  return errors.length > 0 ? problem('conflict', detail, { errors, members: { currentStatus } }) : undefined;
}

/** Adds the links of an item to its allowed transitions, at control URIs below `/{resource}/{id}`. */
export const withTransitions =
  (process: Process, resource: string, links: (item: Item) => readonly LinkFact[]) =>
  (item: Item): LinkFact[] => [
    ...links(item),
    ...allowedTransitions(process, item.values[process.field]).map((name) => ({
      rel: name,
      href: `/${resource}/${item.id}/${name}`,
      method: 'POST' as const,
    })),
  ];
