import { jsonSchema } from '../../service/validation/json-schema.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Endpoint } from '../../shared/resource/route.ts';
import type { Schema } from '../model.ts';
import { pascal } from '../texts.ts';
import { mapValues, orDecimalText, orNull, withTitle } from './fields.ts';
import { formSchemas } from './form-schemas.ts';

/** Returns the names of the schemas of a custom action's body: `RemindInvoice`, or `ImportInvoices` for the collection. */
export function customNames({ name, description }: Resource, { id, takes }: Pick<Endpoint, 'id' | 'takes'>) {
  const body = pascal(id) + pascal(takes === 'customOfList' ? name : (description?.singular ?? name));
  return { body, form: `${body}Form` };
}

/** Returns the schemas of the bodies of a resource's custom actions. */
export const customSchemas = (resource: Resource): Record<string, Schema> =>
  Object.assign(
    {},
    ...resource.routes.flatMap(({ endpoints: { POST } }) => (POST?.body ? [schemasOf(resource, POST)] : [])),
  );

function schemasOf(resource: Resource, endpoint: Endpoint): Record<string, Schema> {
  const { body } = endpoint;
  if (!body) return {};
  const names = customNames(resource, endpoint);
  const { fields, required } = body.description;
  const { properties, ...rules } = jsonSchema(body.description, 'document') as Schema & {
    readonly properties: Readonly<Record<string, Schema>>;
  };
  const sent = mapValues(properties, (schema, name) => {
    const field = fields[name];
    const own = field?.kind === 'integer' && field.isId ? orDecimalText(schema) : schema;
    return required.includes(name) ? own : orNull(own);
  });
  // A form has the inputs of a new item: the required ones, and no stored values.
  const { [names.form]: form } = formSchemas(
    { newForm: names.form, form: `${names.form}Change` },
    body.description,
  );
  return {
    ...withTitle(names.body, 'The body of the action. Null counts as left out.', {
      ...rules,
      properties: sent,
      xml: { name: endpoint.id },
    }),
    [names.form]: {
      ...form,
      title: names.form,
      description: 'The inputs. An empty input counts as left out.',
    },
  };
}
