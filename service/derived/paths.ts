import type { Paths } from '../../functions/root/documents.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { listTemplate } from '../../shared/resource/list-template.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { hasList } from '../../shared/resource/route.ts';

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
    const href = `/${name}/new`;
    if (!routes.some(({ path, endpoints: { GET } }) => path === href && GET)) return [];
    const singular = description?.singular ?? name;
    const [title, about] = [`New ${singular}`, `A form for a new ${singular}.`];
    return [{ rel: `new-${singular}`, href, types: ['text/html'], title, description: about }];
  });
  const templates = registry.flatMap(({ name, title, about, routes, parameters }) =>
    routes.flatMap(({ path, endpoints: { GET } }) => {
      const needed = GET?.parameters?.filter((one) => !parameters[one]?.seldom) ?? [];
      if (GET?.shape !== 'document' || (needed.length === 0 && path !== `/${name}`)) return [];
      const target =
        needed.length > 0 ? { href: `${path}{?${needed.join(',')}}`, templated: true } : { href: path };
      return [{ rel: name, ...target, title, description: sentence(about) }];
    }),
  );
  const renewals = registry.flatMap(({ routes }) =>
    routes.flatMap(({ path: href, endpoints: { POST } }): LinkFact[] => {
      if (POST?.id !== 'renew') return [];
      const words = { title: 'New upload links', description: sentence(POST.about ?? '') };
      return [{ rel: 'renew', href, method: 'POST', templated: true, ...words }];
    }),
  );
  return { paths, links: [...collections, ...forms, ...templates, ...renewals] };
}

/** Returns the first sentence of a description. */
const sentence = (about: string): string => about.replace(/(?<=\.) .*/, '');
