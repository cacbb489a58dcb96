import { type Problem, problem } from '../shared/http/problem.ts';
import { Decimal } from '../shared/json/decimal.ts';
import type { JsonObject } from '../shared/json/value.ts';
import { SERVICE } from '../shared/resource/access/owner.ts';
import { type Complete, complete } from '../shared/resource/actions/outcome.ts';
import type { Description } from '../shared/resource/description/description.ts';
import { findFaults, type SchemaValidator } from '../shared/resource/description/validate.ts';
import { isTooLarge, removeNulls, tooLargeEntity } from '../shared/resource/description/values.ts';
import type { Process } from '../shared/resource/process.ts';
import type { Resource } from '../shared/resource/resource.ts';
import type { Changes, Values } from './fields/declared.ts';
import { type Reader, type Reading, readingFor } from './reading/code-reading.ts';
import { Refusal } from './refusal.ts';

/** What a check knows of the write. */
interface Written<F> {
  readonly sent: ReadonlySet<string>;
  readonly before: Values<F> | undefined;
}

/**
 * A rule of the values of an item. The service applies it at each write, after the rules of the fields. It returns
 * values to set, a refusal, or undefined. `sent`: the names that the request sets, without defaults. `before`: the values
 * before the write; undefined for a new item.
 */
export type Check<F, Own extends string, Names extends string> = (
  values: Values<F>,
  tools: Reading<Own, F, Names> & Written<F>,
) => Changes<F> | Refusal | undefined | Promise<Changes<F> | Refusal | undefined>;

/** A rule of removals: returns a refusal, or undefined for none. `values`: those of the item. */
export type CheckRemoval<F, Own extends string, Names extends string> = (
  values: Values<F>,
  tools: Reading<Own, F, Names>,
) => Refusal | undefined | Promise<Refusal | undefined>;

/** Returns the problem of a refusal. `name`: the one of a refusal with causes. */
const problemOf = ({ detail, errors }: Refusal, name: 'validation-error' | 'conflict'): Problem => {
  const faults = Object.entries(errors).map(([field, fault]) => ({ pointer: `/${field}`, detail: fault }));
  return faults.length > 0 ? problem(name, detail, { errors: faults }) : problem('conflict', detail);
};

/**
 * Returns the values after the changes of an author's code: numbers in decimal fields are decimals, and null removes a
 * value.
 */
function withChanges({ fields }: Description, values: JsonObject, changes: object): JsonObject {
  const whole: JsonObject = { ...values };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) delete whole[name];
    else whole[name] = fields[name]?.kind === 'decimal' ? Decimal.from(value) : value;
  }
  return whole;
}

/** Returns values that the rules of the fields have judged. */
const typed = <F>(values: JsonObject): Values<F> => values as Values<F>;

/** Returns the rule of the values of an item that a check makes. */
export const completing =
  <F, Own extends string, Names extends string>(
    description: Description,
    validate: SchemaValidator,
    reader: Reader,
    check: Check<F, Own, Names>,
    {
      process,
      validateServer,
    }: { readonly process?: Process | undefined; readonly validateServer?: SchemaValidator | undefined },
  ): Complete =>
  async (values, { sent, before }) => {
    // The rules of the fields have judged these values. A null removes a value at the write.
    const present = { ...values };
    if (Object.values(values).includes(null)) removeNulls(description, present);
    const written = { sent: new Set(sent), before: before && typed<F>(before) };
    const isNew = process !== undefined && before === undefined && present[process.field] === undefined;
    const judged = isNew ? { ...present, [process.field]: process.initial } : present;
    const result = await check(typed<F>(judged), {
      ...readingFor<Own, F, Names>(reader, SERVICE),
      ...written,
    });
    if (result === undefined) return complete(values);
    if (result instanceof Refusal) return { kind: 'refused', problem: problemOf(result, 'validation-error') };
    const changed = withChanges(description, present, result);
    const errors = [
      ...findFaults(validate, changed),
      ...(validateServer ? findFaults(validateServer, changed) : []),
    ];
    if (errors.length === 0) {
      const whole = withChanges(description, values, result);
      return isTooLarge(whole) ? { kind: 'refused', problem: tooLargeEntity() } : complete(whole);
    }
    const detail = 'The service computes a value that the rules of its field refuse';
    return { kind: 'refused', problem: problem('validation-error', detail, { errors }) };
  };

/** Returns the rule of removals that a check makes. */
export const removing =
  <F, Own extends string, Names extends string>(
    reader: Reader,
    check: CheckRemoval<F, Own, Names>,
  ): NonNullable<Resource['checkRemoval']> =>
  async (values) => {
    const refusal = await check(typed<F>(values), readingFor<Own, F, Names>(reader, SERVICE));
    return refusal && problemOf(refusal, 'conflict');
  };
