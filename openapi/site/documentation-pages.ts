import { BRAND, NAME } from '../../service/about.ts';
import type { OpenApi } from '../model.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPED[one] ?? one);

/**
 * Returns the documentation page of all resources and that of each one, by object key. They link each other. `parts`: by the
 * names of the resources.
 */
export function documentationPages(
  template: string,
  parts: ReadonlyMap<string, OpenApi>,
): ReadonlyMap<string, string> {
  const pages = [
    { key: 'docs.html', query: '', group: 'All resources', title: NAME },
    ...[...parts].map(
      ([
        name,
        {
          tags: [tag],
        },
      ]) => {
        const group = String(tag?.name);
        return { key: `docs/${name}.html`, query: `?resource=${name}`, group, title: `${group} – ${NAME}` };
      },
    ),
  ];
  return new Map(
    pages.map(({ key, query, title }) => {
      const links = pages.map((one) => {
        const link = `<a href="docs${one.query}">${escaped(one.group)}</a>`;
        return `<li>${one.key === key ? link.replace('<a', '<a aria-current="page"') : link}</li>`;
      });
      const values = {
        TITLE: escaped(title),
        BRAND: escaped(BRAND.name),
        QUERY: query,
        RESOURCES: links.join(''),
      };
      return [
        key,
        template.replace(
          /\{(TITLE|BRAND|QUERY|RESOURCES)\}/g,
          (_, name: keyof typeof values) => values[name],
        ),
      ];
    }),
  );
}
