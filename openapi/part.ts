import type { Resource } from '../shared/resource/resource.ts';
import { withoutUnused } from './components.ts';
import type { OpenApi, PathItem } from './model.ts';

/**
 * Returns the parts of a description by the names of the resources: the operations of each, and the components that they
 * need. A part links the whole, which is at `whole`. A resource without an operation has none.
 */
export function partsOf(
  document: OpenApi,
  registry: readonly Resource[],
  whole: string,
): ReadonlyMap<string, OpenApi> {
  const parts = registry.flatMap(({ name, title }): [string, OpenApi][] => {
    const paths = Object.entries(document.paths).flatMap(([path, item]): [string, PathItem][] => {
      const own = Object.entries(item).filter(([, one]) => !('tags' in one) || one.tags.includes(title));
      return own.some(([, one]) => 'tags' in one) ? [[path, Object.fromEntries(own)]] : [];
    });
    if (paths.length === 0) return [];
    const part = {
      ...document,
      tags: document.tags.filter((tag) => tag.name === title),
      // `externalDocs` needs an absolute URI.
      info: {
        ...document.info,
        description: `This part is for ${title}. [The whole description](${whole}) has all resources.\n\n${document.info.description}`,
      },
      paths: Object.fromEntries(paths),
    };
    return [[name, withoutUnused(part)]];
  });
  return new Map(parts);
}
