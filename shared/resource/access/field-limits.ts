import { sameMember } from '../../json/value.ts';
import { complete } from '../actions/outcome.ts';
import type { Description } from '../description/description.ts';
import { isTooLarge, MAXIMUM_ENTITY, tooLargeEntity } from '../description/values.ts';
import type { FieldLimits } from './field-access.ts';
import { forbiddenElements, forbiddenFields } from './forbidden-fields.ts';
import { hasScope, type Reader, sightOf } from './sight.ts';

/** Returns the limits of a caller in the fields of a description. */
export function limitsOf(description: Description, caller: Reader): FieldLimits {
  const all = Object.entries(description.fields);
  const seen = sightOf(description, caller).description.fields;
  const unseen = all.flatMap(([name]) => (Object.hasOwn(seen, name) ? [] : [name]));
  const unsettable = new Map(
    all.flatMap(([name, { writableBy }]): [string, string][] =>
      writableBy === undefined || hasScope(caller, writableBy) ? [] : [[name, writableBy]],
    ),
  );
  // A caller who does not see a field cannot send even its present value: the response would confirm a guess.
  const untested = new Map(
    unseen.flatMap((name): [string, string][] => {
      const { immutable, readableBy } = description.fields[name] ?? {};
      const scope = unsettable.get(name) ?? (immutable ? readableBy : undefined);
      return scope === undefined ? [] : [[name, scope]];
    }),
  );
  const kept = [...new Set([...unseen, ...unsettable.keys()])].filter(
    (name) => !description.fields[name]?.server,
  );
  const refusedChange: FieldLimits['refusedChange'] = (before, { values, binaries = [] }, sent) => {
    const isChanged = (name: string) =>
      !sameMember(before.values[name], values[name] ?? undefined) ||
      binaries.some((one) => one.name === name && (one.sent || Object.hasOwn(before.binaries ?? {}, name)));
    const isRefused = (name: string) => (untested.has(name) ? sent.includes(name) : isChanged(name));
    return forbiddenFields([...new Map([...unsettable, ...untested])].filter(([name]) => isRefused(name)));
  };
  return {
    unseen,
    unsettable: [...unsettable.keys()],
    kept,
    lackedBy: ({ values }) => kept.filter((name) => values[name] === undefined),
    refusedChange,
    refusedCreation({ values, binaries = [] }) {
      const isSet = (name: string) =>
        Object.hasOwn(values, name) || binaries.some((one) => one.name === name && one.sent);
      const isNeeded = (name: string) => description.required.includes(name);
      return forbiddenFields([...unsettable].filter(([name]) => isSet(name) || isNeeded(name)));
    },
    refusedElements: forbiddenElements,
    completed(before, { values, binaries = [] }) {
      const whole = { ...values };
      for (const name of kept) {
        const present = before.values[name];
        if (present !== undefined && !Object.hasOwn(values, name)) whole[name] = present;
      }
      const sent = [...Object.keys(values), ...binaries.map(({ name }) => name)];
      const refusal = refusedChange(before, { values: whole, binaries }, sent);
      if (refusal) return { kind: 'refused', problem: refusal };
      if (!isTooLarge(whole)) return complete(whole);
      const detail = `An item has at most ${MAXIMUM_ENTITY} bytes, with the properties that you do not see. Send less`;
      return { kind: 'refused', problem: tooLargeEntity(detail) };
    },
  };
}
