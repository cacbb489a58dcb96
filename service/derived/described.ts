import type { Described } from '../../functions/mcp/described.ts';
import { scopesOf } from '../../shared/resource/access/scopes.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import { listTemplate } from '../../shared/resource/list-template.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { hasList, isCollection, isCustomAction } from '../../shared/resource/route.ts';
import { jsonSchema } from '../validation/json-schema.ts';

/** Finds what agents learn of each collection: its fields, states, actions, filters and scopes. */
export const describedOf = (registry: readonly Resource[]): readonly Described[] =>
  registry.filter(hasList).map((one) => {
    const { name, title, about, process } = one;
    const fields = jsonSchema(descriptionOf(one), 'document');
    const template = listTemplate(one, '', sightOf(descriptionOf(one), undefined));
    return {
      name,
      title,
      about,
      paths: one.routes.filter(isCollection).map(({ path }) => path),
      fields,
      filters: template.slice(2, -1).split(','),
      actions: actionsOf(one),
      scopes: scopesOf(one),
      ...(process ? { states: { field: process.field, transitions: process.transitions } } : {}),
    };
  });

/** Returns the custom actions of a collection, with the schema of what each takes. */
const actionsOf = ({ routes }: Resource): Described['actions'] =>
  routes.flatMap(({ path, endpoints: { POST } }) => {
    if (!isCustomAction(POST)) return [];
    const name = path.slice(path.lastIndexOf('/') + 1);
    const body = POST.body ? { body: jsonSchema(POST.body.description, 'document') } : {};
    return [{ name, of: POST.takes === 'customOfItem' ? ('item' as const) : ('list' as const), ...body }];
  });
