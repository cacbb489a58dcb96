import { sha256 } from '../../shared/files/file-actions.ts';
import { Objects, objectCondition } from '../../shared/files/objects.ts';
import { served } from '../../shared/files/served.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import type { ActionInput, Actions, SentBytes } from '../../shared/resource/action.ts';
import { done, listed, missing, type Outcome, stale } from '../../shared/resource/outcome.ts';
import type { PageQuery } from '../../shared/resource/page.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { withIdempotencyLock } from '../../shared/store/idempotency/lock.ts';
import { Items } from '../../shared/store/items/items.ts';
import { readNumber } from '../../shared/store/references.ts';

const ORDERS = { resource: 'orders', key: 'orderId' };

/** The actions of products, of their images, and of the products of an order. */
export function productActions(products: Resource) {
  const items = new Items(products);
  const images = new Objects('images/');
  const kept = collectionActions(products);
  const idOf = ({ parameters }: ActionInput) => parameters.id as number;
  const keyOf = (asked: ActionInput) => String(idOf(asked));

  async function writeImage(asked: ActionInput): Promise<Outcome> {
    const { sent, expected, now } = asked;
    const { bytes, mediaType } = sent as SentBytes;
    const id = idOf(asked);
    const product = await items.get(id);
    if (!product) return missing(`There is no product ${id}`);
    const facts = { bytes, mediaType, sha256: sha256(bytes) };
    const etag = await images.put(keyOf(asked), facts, objectCondition(expected));
    if (etag === 'lost') return stale;
    const marked = await items.mark(id, { imageType: mediaType }, { now });
    if (marked.kind !== 'written') {
      // Another request removed the product meanwhile, so its image is removed too.
      await images.remove(keyOf(asked));
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

  async function removeImage(asked: ActionInput): Promise<Outcome> {
    const expected = objectCondition(asked.expected);
    const etag = expected?.kind === 'etag' ? expected.etag : (await images.head(keyOf(asked)))?.etag;
    if (!etag) {
      // An earlier removal may have crashed after it removed the image and before it updated the product.
      const product = await items.get(idOf(asked));
      if (product?.internal.imageType !== undefined)
        await items.mark(product.id, { imageType: undefined }, { now: asked.now, version: product.version });
      return missing(`Product ${idOf(asked)} has no image`);
    }
    if ((await images.remove(keyOf(asked), etag)) === 'lost') return stale;
    await items.mark(idOf(asked), { imageType: undefined }, { now: asked.now });
    return done;
  }

  return {
    ...kept,

    remove: async (asked) => {
      const outcome = await kept.remove(asked);
      if (outcome.kind === 'done') await images.remove(keyOf(asked));
      return outcome;
    },

    'read:productImage': async (asked) => {
      // If a crash left an image without its product, the image is missing for clients.
      const [product, facts] = await Promise.all([items.get(idOf(asked)), images.head(keyOf(asked))]);
      if (product && facts)
        return { kind: 'found', state: { kind: 'bytes', bytes: served(images, keyOf(asked), facts, false) } };
      return missing(`Product ${idOf(asked)} has no image`);
    },

    'write:productImage': (asked) => withIdempotencyLock(asked, () => writeImage(asked)),

    'remove:productImage': (asked) => withIdempotencyLock(asked, () => removeImage(asked)),

    'list:order': async ({ parameters, page }) => {
      const productId = await readNumber(ORDERS, parameters.id as number, 'productId');
      if (!productId) return missing(`There is no order ${parameters.id}`);
      const id = productId.toNumber();
      const { limit, offset, count } = page as PageQuery;
      const product = await items.get(id);
      const all = [product ?? { gone: id }];
      const total = count ? { total: { count: all.length, exact: true } } : {};
      return listed({ items: all.slice(offset, offset + limit), ...total });
    },
  } satisfies Actions;
}
