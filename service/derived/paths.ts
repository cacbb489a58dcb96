import { sightOf } from '../../shared/resource/access/sight.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { listTemplate } from '../../shared/resource/lists/template.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { hasList } from '../../shared/resource/route.ts';

/** What the home document shows of all resources. */
export interface Paths {
  /** The path templates that GET can read. */
  readonly paths: readonly string[];
  /** Links to the collections with their filters, to forms, to documents, and to new upload links. */
  readonly links: readonly LinkFact[];
}

/** Finds the readable paths and the links of the home document. */
export function pathsOf(registry: readonly Resource[]): Paths {
  const readable = registry.flatMap(({ routes }) => routes.filter(({ endpoints }) => endpoints.GET));
  const paths = [...new Set(readable.map(({ path }) => path))].sort();
  const lists = registry.filter(hasList);
  const collections = lists.map((one) => ({
    rel: one.name,
    href: `/${one.name}`,
    title: one.title,
    description: sentence(one.about),
    template: listTemplate(one, `/${one.name}`, sightOf(descriptionOf(one), undefined)),
  }));
  const forms = registry.flatMap(({ name, description, routes }) => {
    const form = routes.find(({ path }) => path === `/${name}/new`);
    const singular = description?.singular ?? name;
    return form
      ? [
          {
            rel: `new-${singular}`,
            href: form.path,
            types: ['text/html'],
            title: `New ${singular}`,
            description: `A form for a new ${singular}.`,
          },
        ]
      : [];
  });
  const templates = registry.flatMap(({ name, title, about, routes, parameters }) =>
    routes.flatMap(({ path, endpoints: { GET } }) => {
      const needed = GET?.parameters?.filter((one) => !parameters[one]?.seldom) ?? [];
      if (GET?.shape !== 'document' || (needed.length === 0 && path !== `/${name}`)) return [];
      return [
        {
          rel: name,
          ...(needed.length > 0
            ? { href: `${path}{?${needed.join(',')}}`, templated: true }
            : { href: path }),
          title,
          description: sentence(about),
        },
      ];
    }),
  );
  const renewals = registry.flatMap(({ routes }) =>
    routes.flatMap(({ path, endpoints: { POST } }): LinkFact[] =>
      POST?.id === 'renew'
        ? [
            {
              rel: 'renew',
              href: path,
              method: 'POST',
              templated: true,
              title: 'New upload links',
              description: sentence(POST.about ?? ''),
            },
          ]
        : [],
    ),
  );
  return { paths, links: [...collections, ...forms, ...templates, ...renewals] };
}

/** The first sentence of a description. */
const sentence = (about: string): string => about.replace(/(?<=\.) .*/, '');
