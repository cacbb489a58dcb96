import { jsonSchema } from '../../service/validation/json-schema.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { isCustomAction } from '../../shared/resource/route.ts';

/** A JSON Schema, as far as it decides a type. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A resource whose items clients read at `/{name}/{id}`. */
type WithItems = Resource & { readonly description: Description };

/** The module with the types of these resources: `client<Service>` of `resource-api-client` takes its `Service`. */
export function typesOf(resources: readonly Resource[]): string {
  const shapes = resources
    .filter((one): one is WithItems => one.description !== undefined && isCollection(one))
    .map((one) => `  ${key(one.name)}: ${shapeOf(one)};`);
  return `/** Written by npx resource-api types. */\nexport interface Service {\n${shapes.join('\n')}\n}\n`;
}

const isCollection = ({ name, routes, closed }: Resource): boolean =>
  routes.some(
    ({ path, endpoints }) =>
      path === `/${name}` &&
      endpoints.GET?.shape === 'list' &&
      (endpoints.POST !== undefined || closed !== undefined),
  );

/** Returns the `Shape` of a resource. */
function shapeOf({ description, routes, process, closed = [] }: WithItems): string {
  const { properties = {} } = schemaOf(description);
  const { fields, required, identifier } = description;
  const given = (field: string) => required.includes(field) || field === process?.field;
  const shown = Object.entries(properties).map(
    ([field, schema]) => `${key(field)}${given(field) ? '' : '?'}: ${typeOf(schema)}`,
  );
  const sent = Object.entries(properties)
    .filter(([field]) => !fields[field]?.server)
    .map(([field, schema]) => `${key(field)}?: ${typeOf(schema)} | null`);
  const steps = Object.keys(process?.transitions ?? {}).map((step) => JSON.stringify(step));
  const actions = routes.flatMap(({ endpoints: { POST } }) =>
    POST && isCustomAction(POST)
      ? [`${key(POST.id)}: ${POST.body ? typeOf(schemaOf(POST.body.description)) : 'undefined'}`]
      : [],
  );
  return `{
    properties: ${record([`${key(identifier.name)}: ${identifier.kind === 'text' ? 'string' : 'number'}`, ...shown])};
    sent: ${record(sent)};
    steps: ${steps.join(' | ') || 'never'};
    actions: ${record(actions)};${closed.length > 0 ? `\n    closed: ${closed.map((one) => JSON.stringify(one)).join(' | ')};` : ''}
  }`;
}

const schemaOf = (description: Description): Schema => jsonSchema(description, 'document');

const record = (members: readonly string[]): string =>
  members.length > 0 ? `{ ${members.join('; ')} }` : '{}';
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns the type of the values that a schema allows. */
function typeOf({ type, enum: choices, items, properties, required = [] }: Schema): string {
  if (choices) return choices.map((one) => JSON.stringify(one)).join(' | ');
  const types = [type ?? []].flat().map((one) => {
    if (one === 'array') return `readonly (${typeOf(items ?? {})})[]`;
    if (one !== 'object') return PRIMITIVES[one] ?? 'unknown';
    if (!properties) return 'Readonly<Record<string, unknown>>';
    return record(
      Object.entries(properties).map(
        ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
      ),
    );
  });
  return types.join(' | ') || 'unknown';
}
