import { fieldSchema } from '../../service/validation/json-schema.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { isOfOperations } from '../deferral.ts';
import { type Parameter, type Reference, ref } from '../model.ts';
import { identifierSchema } from '../schemas/fields.ts';
import { binaryOf, isConditional, isKeyed, type Target, variablesOf } from '../targets.ts';
import { parameterName } from '../texts.ts';
import {
  expandParameter,
  FILTERS,
  fieldsParameter,
  filterParameters,
  PAGE_PARAMETERS,
  sortParameter,
} from './query.ts';

/** Returns the variables of a path. The first segment of the path names the collection of an identifier. */
export function pathParameters(path: string, resource: Resource, registry: readonly Resource[]): Parameter[] {
  const owner = registry.find(({ name }) => name === path.split('/')[1]) ?? resource;
  return variablesOf(path).map((name) => {
    const field = owner.parameters[name] ?? resource.parameters[name];
    const { description } = owner;
    const schema = field ? fieldSchema(field, 'document') : description && identifierSchema(description);
    if (!schema) throw new Error(`${path}: nothing describes {${name}}`);
    // The parameter has the words.
    const { description: _, ...values } = schema;
    const label = field?.label ?? (description as NonNullable<typeof description>).identifier.label;
    return { name, in: 'path', description: `${label}.`, required: true, schema: values };
  });
}

/** Query parameters and header fields of an operation. */
export const operationParameters = (target: Target): (Parameter | Reference)[] => [
  ...queryParameters(target),
  ...headerParameters(target),
];

function queryParameters(target: Target): (Parameter | Reference)[] {
  const { resource, endpoint } = target;
  const { shape, parameters = [] } = endpoint;
  // The path names the binary property.
  if (binaryOf(target) !== undefined) return [];
  return [
    ...(shape === 'list'
      ? Object.keys(PAGE_PARAMETERS).map((name) => ref('parameters', parameterName(name)))
      : []),
    ...(shape === 'list' ? [sortParameter(resource), ...filterParameters(resource)] : []),
    ...(shape === 'list' || shape === 'item' ? fieldsParameter(resource, shape) : []),
    ...(shape === 'list' || shape === 'item' ? expandParameter(resource) : []),
    ...(endpoint.hasFilters ? [FILTERS] : []),
    ...parameters.map((name): Parameter => {
      const field = resource.parameters[name];
      if (!field) throw new Error(`${resource.name}: nothing describes the parameter ${name}`);
      const { description: _, ...schema } = fieldSchema(field, 'document');
      const required = field.seldom ? {} : { required: true };
      return { name, in: 'query', description: `${field.label}.`, ...required, schema };
    }),
  ];
}

/** A client reads what has changed since, writes what has not, and creates what is not there yet. */
function conditionsOf({ method, endpoint }: Target): readonly string[] {
  if (endpoint.signsIn) return [];
  // A version never changes, and few clients read a history again and again.
  const isPast = endpoint.takes === 'version' || endpoint.takes === 'fileVersion';
  const isHistory = endpoint.takes === 'versions' || endpoint.takes === 'fileVersions';
  if (method === 'GET') return isPast || isHistory ? [] : ['If-None-Match'];
  // A delivery that is sent again changes no item.
  if (isPast && endpoint.effect === undefined) return [];
  if (!endpoint.creates) return ['If-Match'];
  return method === 'POST' ? [] : ['If-Match', 'If-None-Match'];
}

function headerParameters(target: Target): Reference[] {
  const { method, endpoint } = target;
  const names = [
    ...(isConditional(target) ? conditionsOf(target) : []),
    ...(method === 'GET' && endpoint.shape === 'bytes' ? ['Range'] : []),
    ...(isKeyed(target) ? ['Idempotency-Key'] : []),
    ...(method !== 'GET' || endpoint.shape === 'list' || isOfOperations(target) ? ['Prefer'] : []),
  ];
  return names.map((name) => ref('parameters', parameterName(name)));
}
