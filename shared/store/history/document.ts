import { formatHttpDate } from '../../http/conditional/http-date.ts';
import { type Compared, found, type Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';

/** A version in a list. `time`: its beginning, in ms since the epoch. */
export interface ListedVersion {
  readonly version: number | string;
  readonly change: 'created' | 'updated' | 'restored' | 'removed';
  readonly time: number;
}

/**
 * Returns the list of versions below the path of an item or a file, also as a TimeMap. `next`: the path of the next
 * page. `more`: further members of an entry. `about`: the newest version, which names the item on pages.
 * `compared`: the items of the entries.
 *
 * Source: Specification 16.3; RFC 7089 §5; RFC 6690 §2.
 */
export function versionsDocument<Entry extends ListedVersion>(
  path: string,
  entries: readonly Entry[],
  {
    limit,
    basePath,
    next,
    more,
    about,
    compared,
  }: {
    readonly limit: number;
    readonly basePath: string;
    readonly next: string | undefined;
    readonly more: (entry: Entry) => object;
    readonly about?: Item;
    readonly compared?: readonly Compared[];
  },
): Outcome {
  const hrefOf = (version: number | string) => `${basePath}${path}/versions/${encodeURIComponent(version)}`;
  const mementos = entries.filter(({ change }) => change !== 'removed');
  return found({
    kind: 'document',
    name: 'versions',
    members: {
      items: entries.map((entry) => ({
        version: entry.version,
        ...(entry.change === 'removed' ? {} : { href: hrefOf(entry.version) }),
        change: entry.change,
        ...more(entry),
        time: new Date(entry.time).toISOString(),
      })),
      limit,
    },
    links: [
      { rel: 'self', href: `${path}/versions` },
      { rel: 'original', href: path },
      ...(next === undefined ? [] : [{ rel: 'next', href: next }]),
    ],
    ...(about && { about }),
    ...(compared && { compared }),
    plain: [
      `<${basePath}${path}>; rel="original timegate"`,
      `<${basePath}${path}/versions>; rel="self"; type="application/link-format"`,
      ...(next === undefined
        ? []
        : [`<${basePath}${next}>; rel="timemap next"; type="application/link-format"`]),
      ...mementos.map(
        ({ version, time }) => `<${hrefOf(version)}>; rel="memento"; datetime="${formatHttpDate(time)}"`,
      ),
    ].join(',\n'),
  });
}
