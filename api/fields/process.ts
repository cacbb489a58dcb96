import type { Meaning } from '../../shared/resource/description/field-types.ts';
import { text } from '../../shared/resource/description/fields.ts';
import type { Process } from '../../shared/resource/process.ts';
import { type Declared, declare, type FieldFacts, ofDescription } from './declared.ts';

/** Carries the names of the transitions. No object has it. */
declare const STEPS: unique symbol;

/** The state of a process as an author declares it. */
export interface DeclaredProcess<State, out Step> extends Declared<State, true, true> {
  readonly [STEPS]?: Step;
}

/** The keys of each member of a union. */
type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** The names of all transitions of these fields. */
export type StepsOf<F> = {
  [Name in keyof F]: F[Name] extends DeclaredProcess<unknown, infer Step>
    ? unknown extends Step
      ? never
      : Step & string
    : never;
}[keyof F];

/**
 * Returns the state of a business process: for each state, its transitions and the states after them. The first state
 * is that of a new item. Each transition is a POST at `/{plural}/{id}/{transition}`, a link and a button.
 *
 * Source: Specification 8.1.
 */
export function process<
  const States extends { readonly [State in keyof States]: Readonly<Record<string, keyof States & string>> },
>(
  states: States,
  facts: Pick<FieldFacts<true>, 'label' | 'help' | 'readableBy' | 'sortable' | 'filters'> = {},
): DeclaredProcess<keyof States & string, KeyOf<States[keyof States]> & string> {
  const given: Readonly<Record<string, Readonly<Record<string, string>>>> = states;
  const choices = Object.keys(given);
  const [initial = ''] = choices;
  const make = (label: string) =>
    text(label, {
      ...ofDescription(facts),
      server: true,
      choices,
      meanings: meaningsOf(given, initial),
      example: initial,
    });
  return declare<keyof States & string, true, true>(facts, make, {
    process: { initial, transitions: transitionsOf(given) },
  });
}

/**
 * Returns the meanings of states: a state with transitions waits for one. The first transition of each state is the
 * usual one. The end that these lead to is positive, and each other end is negative.
 */
function meaningsOf(
  states: Readonly<Record<string, Readonly<Record<string, string>>>>,
  initial: string,
): Record<string, Meaning> {
  const usual = new Set<string>();
  for (let state: string | undefined = initial; state !== undefined && !usual.has(state); ) {
    usual.add(state);
    [state] = Object.values(states[state] ?? {});
  }
  return Object.fromEntries(
    Object.entries(states).map(([state, next]) => [
      state,
      Object.keys(next).length > 0 ? 'waiting' : usual.has(state) ? 'positive' : 'negative',
    ]),
  );
}

/** Returns the transitions of all states, in an order that agrees with the order in each state. */
function transitionsOf(
  states: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Process['transitions'] {
  const names: string[] = [];
  for (const own of Object.values(states).map((one) => Object.keys(one))) {
    for (const [at, name] of own.entries()) {
      if (names.includes(name)) continue;
      const next = own.slice(at + 1).find((one) => names.includes(one));
      names.splice(next === undefined ? names.length : names.indexOf(next), 0, name);
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const from = Object.keys(states).filter((state) => states[state]?.[name] !== undefined);
      const targets = [...new Set(from.map((state) => states[state]?.[name]))];
      const [to = ''] = targets;
      if (targets.length > 1)
        throw new Error(`The transition '${name}' leads to ${targets.join(' and ')}: give it one state`);
      return [name, { from, to }];
    }),
  );
}
