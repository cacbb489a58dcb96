import { currentTime } from '../../aws/clock.ts';
import type { Resource } from '../../resource/resource.ts';
import { BINARIES } from '../binaries/key.ts';
import { namingTable } from '../binaries/leftovers.ts';
import { Objects } from '../objects.ts';
import type { Compared, ComparedStores } from './compare.ts';
import { itemsTable, versionsTable } from './pairing.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the bytes of binary properties, and the items and kept versions that name them. Bytes of other resources
 * stay, as their tables do. `settled`: bytes that are newer than this time, in ms since the epoch, have a writer that
 * may still name them.
 *
 * Source: Specification 2.29, 5.4.
 */
export function bytesAndItems(registry: readonly Resource[], settled: number): ComparedStores {
  const resources = registry.filter(({ binaries }) => binaries);
  return {
    of: 'bytes',
    tables: [
      ...resources.map(itemsTable),
      ...(resources.some(({ history }) => history) ? [versionsTable] : []),
    ],
    async *walk(after) {
      for await (const { key, lastModified } of objects.list(after)) {
        const resource = resources.find(({ name }) => key.startsWith(`${name}/`));
        if (!resource) yield { key, isOutside: true };
        else if (lastModified >= settled) yield { key };
        else yield comparedObject(resource, key, lastModified);
      }
    },
  };
}

const objects = new Objects(BINARIES);

async function comparedObject(resource: Resource, key: string, lastModified: number): Promise<Compared> {
  const named = await namingTable([resource], BINARIES + key);
  if (named !== undefined) return { key, named };
  const { name, history } = resource;
  const isOld = history !== undefined && lastModified < currentTime() - history.days * DAY_MS;
  const by = history ? [name, versionsTable.name] : [name];
  const apply = async () => (await objects.remove(key)) === 'removed';
  return { key, difference: { kind: isOld ? 'expire' : 'remove', by, apply } };
}
