import { type Api, client as clientOf, type Settings } from 'resource-api-client';
import type { Decimal } from '../shared/json/decimal.ts';
import type { Definition } from './definition.ts';
import type { SettableIn, Values } from './fields/declared.ts';
import type { StepsOf } from './fields/process.ts';
import type { View } from './views/view.ts';

export { Conflict, type Item, type Operation, Problem, type Settings } from 'resource-api-client';

/** A value as JSON has it: decimals are numbers. */
type InJson<Value> = Value extends Decimal
  ? number
  : Value extends readonly (infer One)[]
    ? readonly InJson<One>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: InJson<Value[Name]> }
      : Value;

/** The properties of an item in JSON. */
type Properties<F> = { readonly [Name in keyof Values<F>]: InJson<Values<F>[Name]> };

/** The properties that a client sends. null removes one. The service alone sets the others. */
type SentItem<F> = {
  readonly [Name in keyof Values<F> as Name extends SettableIn<F> ? Name : never]?: InJson<
    Values<F>[Name]
  > | null;
};

/** What a client sees of a resource. */
interface Seen<F, A, K> {
  readonly properties: Properties<F>;
  readonly sent: SentItem<F>;
  readonly steps: StepsOf<F>;
  readonly actions: { readonly [Name in keyof A]: InJson<A[Name]> };
  readonly closed: K;
}

/** What a client sees of the resources of a service. `Service`: modules or objects with definitions. */
type Shapes<Service> = {
  readonly [Key in keyof Service as Service[Key] extends Definition<infer Name> | View<infer Name>
    ? Name
    : never]: Service[Key] extends Definition<string, infer F, infer A, string, infer K>
    ? Seen<F, A, K>
    : Service[Key] extends View<string, infer P, infer F>
      ? { parameters: Properties<P>; shown: Properties<F> }
      : never;
};

/**
 * Makes a typed client of a service. `Service`: the type of the modules with its definitions. `url`: the address of the
 * service.
 *
 * Source: docs/client.md.
 */
export const client = <Service>(url: string, settings?: Settings): Api<Shapes<Service>> =>
  clientOf(url, settings);
