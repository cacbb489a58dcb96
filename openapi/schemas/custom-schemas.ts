import { jsonSchema } from '../../service/validation/json-schema.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Endpoint } from '../../shared/resource/route.ts';
import type { Schema } from '../model.ts';
import { pascal } from '../texts.ts';
import { mapValues, orNull, withReference, withTitle } from './fields.ts';

/** Returns the name of the schema of a custom action's body: `RemindInvoice`, or `ImportInvoices` for the collection. */
export const customName = (
  { name, description }: Resource,
  { id, takes }: Pick<Endpoint, 'id' | 'takes'>,
): string => pascal(id) + pascal(takes === 'customOfList' ? name : (description?.singular ?? name));

/** Returns the schemas of the bodies of a resource's custom actions. */
export const customSchemas = (resource: Resource): Record<string, Schema> =>
  Object.assign(
    {},
    ...resource.routes.flatMap(({ endpoints: { POST } }) => (POST?.body ? [schemasOf(resource, POST)] : [])),
  );

function schemasOf(resource: Resource, endpoint: Endpoint): Record<string, Schema> {
  const { body } = endpoint;
  if (!body) return {};
  const { fields, required } = body.description;
  const { properties, ...rules } = jsonSchema(body.description, 'document') as Schema & {
    readonly properties: Readonly<Record<string, Schema>>;
  };
  const sent = mapValues(properties, (schema, name) => {
    const own = withReference(schema, fields[name]);
    return required.includes(name) ? own : orNull(own);
  });
  return withTitle(customName(resource, endpoint), 'The body of the action. Null counts as left out.', {
    ...rules,
    properties: sent,
    xml: { name: endpoint.id },
  });
}
