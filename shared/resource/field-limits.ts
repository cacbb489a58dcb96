import { type Problem, problem } from '../http/problem.ts';
import { sameMember } from '../json/equal.ts';
import { formatPointer } from '../json/pointer.ts';
import { hasScope, type Reader, scopeChallenge } from './access.ts';
import { complete } from './actions/completion.ts';
import { withComputed } from './description/computed.ts';
import type { Description } from './description/description.ts';
import { MAXIMUM_ENTITY } from './description/maximum-entity.ts';
import { isVisible, type Limits, type Present, type SentValues } from './field-access.ts';

/** The limits of a caller in the fields of a description. */
export function limitsOf(description: Description, caller: Reader): Limits {
  const all = Object.entries(description.fields);
  const unseen = all.flatMap(([name, field]) => (isVisible(field, caller) ? [] : [name]));
  const unsettable = all.flatMap(([name, { writableBy }]) =>
    writableBy === undefined || hasScope(caller, writableBy) ? [] : [name],
  );
  const kept = [...new Set([...unseen, ...unsettable])].filter((name) => !description.fields[name]?.server);
  const refusedChange = (before: Present, { values, binaries = [] }: SentValues) => {
    const isChanged = (name: string) =>
      !sameMember(before.values[name], values[name] ?? undefined) ||
      binaries.some((one) => one.name === name && (one.sent || Object.hasOwn(before.binaries ?? {}, name)));
    return forbidden(description, unsettable.filter(isChanged));
  };
  return {
    unseen,
    unsettable,
    kept,
    refusedChange,
    refusedCreation({ values, binaries = [] }) {
      const isSet = (name: string) =>
        Object.hasOwn(values, name) || binaries.some((one) => one.name === name && one.sent);
      const isNeeded = (name: string) => description.required.includes(name);
      return forbidden(
        description,
        unsettable.filter((name) => isSet(name) || isNeeded(name)),
      );
    },
    completed(before, { values, binaries }) {
      const whole = { ...values };
      for (const name of kept) {
        const present = before.values[name];
        if (present !== undefined && !Object.hasOwn(values, name)) whole[name] = present;
      }
      const refusal = refusedChange(before, { values: whole, binaries });
      if (refusal) return { kind: 'refused', problem: refusal };
      if (Buffer.byteLength(JSON.stringify(whole)) <= MAXIMUM_ENTITY)
        return complete(withComputed(description, whole));
      const detail = `An item has at most ${MAXIMUM_ENTITY} bytes, with the properties that you do not see. Send less`;
      return {
        kind: 'refused',
        problem: problem('payload-too-large', detail, { members: { maximum: MAXIMUM_ENTITY } }),
      };
    },
  };
}

/** The refusal of values that the caller cannot set; undefined if there are none. Source: RFC 6750 §3.1. */
function forbidden({ fields }: Description, names: readonly string[]): Problem<'forbidden'> | undefined {
  if (names.length === 0) return undefined;
  const scopeOf = (name: string) => fields[name]?.writableBy ?? '';
  const scopes = [...new Set(names.map(scopeOf))];
  const needed = scopes.length > 1 ? `The scopes ${scopes.join(' and ')} are` : `The scope ${scopes[0]} is`;
  return problem('forbidden', `${needed} needed to set ${names.join(', ')}. Get a token with it`, {
    errors: names.map((name) => ({
      pointer: formatPointer([name]),
      detail: `needs the scope ${scopeOf(name)}`,
    })),
    headers: scopeChallenge(scopes),
  });
}
