import type { Action } from '../actions/action.ts';
import { emptyForm } from '../actions/outcome.ts';
import { describe } from '../description/plan.ts';
import type { BodyFacts, CustomActionFacts, FormKind } from '../facts.ts';
import type { Endpoint, NamedAction, Route } from '../route.ts';
import type { OnItem } from './action-endpoints.ts';

/** A custom action, with the functions that perform it and check it. */
export type CustomEndpoint = CustomActionFacts &
  (
    | {
        readonly at: 'item';
        readonly run: Action<'customOfItem'>;
        readonly check: Action<'customOfItem'>;
      }
    | {
        readonly at: 'collection';
        readonly run: Action<'customOfList'>;
        readonly check: Action<'customOfList'>;
      }
  );

/**
 * Custom actions: POST on a control URI below an item, or below the list. GET on the URI of an action with a body shows its
 * form. `reader` reads the item.
 *
 * @throws Error if two actions have one name: it is in names of operations
 */
export function customActions(path: `/${string}`, reader: OnItem, all: readonly CustomEndpoint[]): Route[] {
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`${path} has two actions '${twice}': rename one of them`);
  return all.map((action) => routeOf(path, reader, action));
}

function routeOf(path: `/${string}`, reader: OnItem, action: CustomEndpoint): Route {
  const { id, summary, about, scope, when, isLong, at, body: sent } = action;
  const body: BodyFacts | undefined = sent && {
    description: describe({ singular: id, fields: sent.fields, required: sent.required ?? [] }),
    relations: sent.relations ?? {},
    validate: sent.validate,
  };
  const form: FormKind = body ? 'action' : 'transition';
  const content = body ? 'body' : 'none';
  const performed: NamedAction =
    action.at === 'item'
      ? { id, takes: 'customOfItem', run: action.run, check: action.check }
      : { id, takes: 'customOfList', run: action.run, check: action.check };
  const shown: NamedAction =
    at === 'item' ? { id, takes: 'item', run: reader } : { id, takes: 'document', run: () => emptyForm };
  const asks: Endpoint = {
    ...shown,
    // The form shows the item, so it needs the scope to read it.
    scope: scope && `${path.slice(1)}:read`,
    content: 'none',
    shape: 'form',
    form,
  };
  return {
    path: at === 'item' ? `${path}/{id}/${id}` : `${path}/${id}`,
    // The authorizer knows only the scopes `read` and `write` of a path. The flow checks every other one.
    ...(scope === undefined ? {} : { access: 'authenticated' }),
    endpoints: {
      ...(body ? { GET: asks } : {}),
      POST: {
        ...performed,
        ...(summary === undefined ? {} : { summary }),
        ...(about === undefined ? {} : { about }),
        scope,
        when,
        ...(isLong ? { isLong } : {}),
        body,
        form,
        content,
        refusals: ['conflict'],
        ...(at === 'item' ? { reads: { takes: 'item', run: reader } } : {}),
      },
    },
  };
}
