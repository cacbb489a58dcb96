import type { MediaType } from '../http/fields/media-type.ts';
import type { JsonObject } from '../json/value.ts';
import { itemMembers, type Showing } from '../representations/item.ts';
import type { PlainRepresentation, Representation } from '../representations/representation.ts';
import type { ResourceFacts, Version } from '../resource/facts.ts';
import type { Item } from '../resource/item.ts';
import type { Resource } from '../resource/resource.ts';
import type { View } from './exchange.ts';

/** A representation in the shape of one version, under a media type that names it. */
const inVersion = (one: PlainRepresentation, version: number): PlainRepresentation => ({
  ...one,
  mediaType: `${one.mediaType};version=${version}`,
  contentType: `${one.contentType};version=${version}`,
  suffix: version === 1 ? one.suffix : `${one.suffix}${version}`,
  version,
});

/** The representations that a response can have. The first one is the default. */
export type Offers = readonly [Representation, ...Representation[]];

/** The offers, also in every version of the resource. A request that names no version gets the offers unchanged. */
export function versioned(offers: Offers, { versions = [] }: Resource, accept: string | undefined): Offers {
  if (!accept?.includes('version')) return offers;
  const numbers = [1, ...versions.map(({ version }) => version)];
  return [
    ...offers,
    ...numbers.flatMap((version) =>
      offers.flatMap((one) => (one.suffix === undefined ? [] : [inVersion(one, version)])),
    ),
  ];
}

const versionOf = (
  { versions = [] }: Pick<ResourceFacts, 'versions'>,
  wanted: number | undefined,
): Version | undefined =>
  wanted === undefined ? undefined : versions.find(({ version }) => version === wanted);

/**
 * The properties of an item as the version of the representation shows them. `only` names properties of that
 * version.
 *
 * Source: Specification 4.17.
 */
export function membersOf(
  { resource, representation, request }: Pick<View, 'resource' | 'representation' | 'request'>,
  item: Item,
  { only, ...shown }: Omit<Showing, 'reader'> = {},
): JsonObject {
  const { basePath } = request;
  const whole = { ...shown, reader: request };
  const wanted = representation.suffix === undefined ? undefined : representation.version;
  const version = versionOf(resource, wanted);
  if (!version) return itemMembers(resource, item, basePath, { ...whole, only });
  const members = version.show(itemMembers(resource, item, basePath, whole));
  const always = [resource.description?.identifier.name, ...(shown.expansions ?? []).map(({ name }) => name)];
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => !only || only.has(name) || always.includes(name)),
  );
}

/**
 * Converts a document of the media type `application/json;version=2` to the stored shape; undefined if the resource
 * does not have the version.
 */
export function fromVersion(
  resource: Resource,
  mediaType: MediaType | undefined,
  document: JsonObject,
): JsonObject | undefined {
  const wanted = mediaType?.parameters.get('version') ?? '1';
  return wanted === '1' ? document : versionOf(resource, Number(wanted))?.take(document);
}
