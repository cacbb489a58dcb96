import { scopeOf } from '../../shared/resource/access/access.ts';
import { newestList } from '../../shared/resource/list-template.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { hasList } from '../../shared/resource/route.ts';

/** A collection of the service or a view with rows, as the navigation of every page names it. */
export interface Collection {
  /** The path of its list, without base path. */
  readonly path: `/${string}`;
  /** The path and the query of the list that begins with the newest items. */
  readonly newest: string;
  readonly title: string;
  /** The name of one item. */
  readonly singular: string;
  /** Present if the service keeps the changes of its items. */
  readonly hasHistory?: true;
  /** The property that names its items, if it is one. */
  readonly names?: string;
}

/** The collections and scopes that the navigation of every page shows. */
export interface Navigation {
  /** The collections of the service, then the views, in the order of the registry. */
  readonly collections: readonly Collection[];
  /** The scopes for the pages at paths without parameters. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Finds the collections and the scopes of all pages. */
export function navigationOf(registry: readonly Resource[]): Navigation {
  const lists = registry.filter(hasList);
  const places = lists.map(
    ({ name, title, description, history }): Collection => ({
      path: `/${name}`,
      newest: newestList({ name, description }),
      title,
      singular: description?.singular ?? name,
      ...(history ? { hasHistory: true } : {}),
      ...(typeof description?.title === 'string' ? { names: description.title } : {}),
    }),
  );
  const views = registry
    .filter(({ name, routes }) =>
      routes.some(({ path, endpoints: { GET } }) => path === `/${name}` && GET?.hasRows),
    )
    .map(({ name, title }): Collection => ({ path: `/${name}`, newest: `/${name}`, title, singular: title }));
  const scopes = Object.fromEntries(
    registry.flatMap(({ name, routes }) =>
      routes.flatMap(({ path, access, endpoints }) => {
        // A person who sees a form can also send it.
        const method = endpoints.GET?.shape === 'form' ? 'POST' : 'GET';
        const scope = endpoints.GET && !path.includes('{') ? scopeOf(name, access, method) : undefined;
        return scope === undefined ? [] : [[path, scope]];
      }),
    ),
  );
  return { collections: [...places, ...views], scopes };
}
