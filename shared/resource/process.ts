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
