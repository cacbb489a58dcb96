import type { Fault } from '../../http/problem.ts';
import { escapeToken } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';

/** One finding of a compiled validator. Source: ajv's ErrorObject. */
export interface Finding {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly propertyName?: string;
  readonly message?: string;
}

/** A validator that the build compiles from a description. It stores its findings in its `errors`. */
export interface SchemaValidator {
  (values: unknown): boolean;
  errors?: readonly Finding[] | null;
}

function where({ instancePath, keyword, params, propertyName }: Finding): string {
  if (keyword === 'required') return `${instancePath}/${escapeToken(String(params.missingProperty))}`;
  if (propertyName !== undefined) return `${instancePath}/${escapeToken(propertyName)}`;
  return instancePath;
}

function what({ keyword, params, propertyName, message }: Finding): string {
  if (keyword === 'required') return 'must be given';
  if (propertyName !== undefined) return 'is not a valid name for a property';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as string[]).join(', ')}`;
  if (keyword === 'decimal' || keyword === 'json' || keyword === 'form') return String(params.message);
  if (keyword === 'pattern') return `must match the pattern ${params.pattern}`;
  if (keyword === 'type' && params.type === 'string') return 'must be a text';
  if (keyword === 'type' && params.type === 'object') return 'must be an object';
  if (keyword === 'type' && params.type === 'array') return 'must be an array';
  if (keyword === 'minItems') return `must have at least ${params.limit} items`;
  if (keyword === 'maxItems') return `must have at most ${params.limit} items`;
  if (keyword === 'type' && params.type === 'boolean') return 'must be true or false';
  if (keyword === 'type' && params.type === 'integer') return 'must be a whole number';
  if (keyword === 'minimum') return `must be at least ${params.limit}`;
  if (keyword === 'maximum') return `must be at most ${params.limit}`;
  if (keyword === 'minLength') return `must have at least ${params.limit} characters`;
  if (keyword === 'maxLength') return `must have at most ${params.limit} characters`;
  return message ?? 'is not valid';
}

const ruleOf = ({ keyword }: Finding): Pick<Fault, 'rule'> =>
  keyword === 'required' || keyword === 'pattern' ? { rule: keyword } : {};

/** Returns all faults of the values, each with its JSON Pointer; empty if they are valid. */
export function findFaults(validate: SchemaValidator, values: JsonObject): Fault[] {
  if (validate(values)) return [];
  return (validate.errors ?? [])
    .filter((finding) => finding.keyword !== 'propertyNames')
    .map((finding) => ({ pointer: where(finding), detail: what(finding), ...ruleOf(finding) }));
}
