import type { Field } from '../description/description.ts';
import type { Process } from '../process.ts';
import type { Resource } from '../resource.ts';

/** The faults of the states of a resource. The sentences begin with the fact. */
export function wrongProcess({ description, process }: Resource): string[] {
  if (!description || !process) return [];
  const { field: name } = process;
  const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
  if (!field) return [`process names '${name}', which is no field: use a field`];
  return [
    ...(field.server
      ? []
      : [`clients could set '${name}', the state of the process: say server: true at it`]),
    ...wrongStates(name, field, process),
  ];
}

function wrongStates(name: string, field: Field, { initial, transitions }: Process): string[] {
  if (field.kind !== 'text' || !field.choices)
    return [`process names '${name}', which is no text with choices: list its states as choices`];
  const { choices } = field;
  const states = new Set([initial, ...Object.values(transitions).flatMap(({ from, to }) => [...from, to])]);
  return [...states]
    .filter((state) => !choices.includes(state))
    .map((state) => `process has the state '${state}', which is no choice of '${name}': correct one of them`);
}
