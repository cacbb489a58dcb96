import { sha256 } from '../../shared/files/file-actions.ts';
import { Objects, objectCondition } from '../../shared/files/objects.ts';
import { served } from '../../shared/files/served.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import type { Action, InputWith } from '../../shared/resource/actions/action.ts';
import { done, listed, missing, type Outcome, stale } from '../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { PartActions } from '../../shared/resource/styles/bytes.ts';
import type { CollectionActions } from '../../shared/resource/styles/collection.ts';
import { withIdempotencyLock } from '../../shared/store/idempotency/lock.ts';
import { Items } from '../../shared/store/items/items.ts';
import { readNumber } from '../../shared/store/references.ts';

const ORDERS = { resource: 'orders', key: 'orderId' };

/** The actions of products and of their images. */
export function productActions(products: Resource) {
  const items = new Items(products);
  const images = new Objects('images/');
  const single = collectionActions(products);

  async function writeImage({ id, sent, expected, now }: InputWith<'id' | 'sent'>): Promise<Outcome> {
    const { bytes, mediaType } = sent;
    const product = await items.get(id);
    if (!product) return missing(`There is no product ${id}`);
    const facts = { bytes, mediaType, sha256: sha256(bytes) };
    const etag = await images.put(String(id), facts, objectCondition(expected));
    if (etag === 'lost') return stale;
    const marked = await items.mark(id, { imageType: mediaType }, { now });
    if (marked.kind !== 'written') {
      // Another request removed the product meanwhile, so its image is removed too.
      await images.remove(String(id));
      return missing(`There is no product ${id}`);
    }
    const kind = product.internal.imageType === undefined ? 'created' : 'replaced';
    return {
      kind,
      state: { kind: 'item', item: marked.item },
      location: `/products/${id}?fields=productImage`,
      etag,
    };
  }

  async function removeImage({ id, expected: given, now }: InputWith<'id'>): Promise<Outcome> {
    const key = String(id);
    const expected = objectCondition(given);
    const etag = expected?.kind === 'etag' ? expected.etag : (await images.head(key))?.etag;
    if (!etag) {
      // An earlier removal may have crashed after it removed the image and before it updated the product.
      const product = await items.get(id);
      if (product?.internal.imageType !== undefined)
        await items.mark(product.id, { imageType: undefined }, { now, version: product.version });
      return missing(`Product ${id} has no image`);
    }
    if ((await images.remove(key, etag)) === 'lost') return stale;
    await items.mark(id, { imageType: undefined }, { now });
    return done;
  }

  const image: PartActions = {
    whole: single.read,

    read: async ({ id }) => {
      // If a crash left an image without its product, the image is missing for clients.
      const key = String(id);
      const [product, facts] = await Promise.all([items.get(id), images.head(key)]);
      if (product && facts)
        return { kind: 'found', state: { kind: 'bytes', bytes: served(images, key, facts, false) } };
      return missing(`Product ${id} has no image`);
    },

    write: (input) => withIdempotencyLock(input, () => writeImage(input)),

    remove: (input) => withIdempotencyLock(input, () => removeImage(input)),
  };

  return {
    ...single,

    remove: async (input) => {
      const outcome = await single.remove(input);
      if (outcome.kind === 'done') await images.remove(String(input.id));
      return outcome;
    },

    image,
  } satisfies CollectionActions & { image: PartActions };
}

/** Lists the product of an order. The list has the identifier of a deleted product. */
export function productOfOrder(products: Resource): Action<'id' | 'page'> {
  const items = new Items(products);
  return async ({ id: orderId, page: { limit, offset, count } }) => {
    const productId = await readNumber(ORDERS, orderId, 'productId');
    if (!productId) return missing(`There is no order ${orderId}`);
    const id = productId.toNumber();
    const product = await items.get(id);
    const all = [product ?? { gone: id }];
    const total = count ? { total: { count: all.length, exact: true } } : {};
    return listed({ items: all.slice(offset, offset + limit), ...total });
  };
}
