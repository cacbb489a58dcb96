import { randomUUID } from 'node:crypto';
import { sendOnce } from '../../shared/aws/clients/queue.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import { deliveriesOf, deliveryOf } from '../../shared/events/webhooks/deliveries.ts';
import { nearExpiry, renewedExpiry } from '../../shared/events/webhooks/judgement.ts';
import type { EventSource } from '../../shared/events/webhooks/matching.ts';
import type { PendingEvent } from '../../shared/events/webhooks/waiting.ts';
import type { Call, ItemCall, VersionCall, VersionsCall } from '../../shared/resource/actions/action.ts';
import { found, foundItem, missing, type Outcome } from '../../shared/resource/actions/outcome.ts';
import type { Item } from '../../shared/resource/item.ts';
import { AFTER, pageOf } from '../../shared/resource/lists/document-page.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { recordAnswer } from '../../shared/store/idempotency/answers.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { conflictOutcome } from '../../shared/store/items/outcomes.ts';
import { refusedCall } from './limits.ts';
import { refusedByOperators } from './operators.ts';
import { holds, lacking, scopeOfSubject } from './selection.ts';

/** The actions on the deliveries of a subscription that the caller sees. Source: Specification 18.10, 18.11. */
export function deliveryActions(resource: Resource, sources: readonly EventSource[]) {
  const pathOf = (id: number) => `/${resource.name}/${id}`;
  const subscriptionOf = ({ caller, id }: Call & { readonly id: number }) =>
    itemsOf(resource, caller).get(id);

  /** One delivery with its event. Its scope is that of its source. */
  const deliveryIn = async (input: VersionCall) => {
    const about = Number.isNaN(input.version) ? undefined : await subscriptionOf(input);
    const one = about && (await deliveryOf(input.id, input.version, input.now));
    if (!one) return missing();
    const scope = input.caller.isManager ? undefined : scopeOfSubject(sources, one.delivery.subject);
    const refusal = lacking(input.caller, scope === undefined ? [] : [scope]);
    return refusal ?? { ...one, kind: 'delivery' as const, about };
  };

  async function send(input: ItemCall, { values }: Item, pending: PendingEvent): Promise<Outcome> {
    const refusal = refusedByOperators(values) ?? (await refusedCall(input.id, input.now));
    if (refusal) return refusal;
    await orUnavailable(sendOnce(input.id, pending));
    return recordAnswer(input, { kind: 'done', location: `${pathOf(input.id)}/deliveries` });
  }

  return {
    async subscription(input: ItemCall): Promise<Outcome> {
      const item = await subscriptionOf(input);
      return item ? foundItem(item) : missing();
    },

    async list(input: VersionsCall): Promise<Outcome> {
      const { caller, id, query, basePath, now } = input;
      const page = pageOf(query, AFTER);
      if (page.kind !== 'page') return page;
      const about = await subscriptionOf(input);
      if (!about) return missing();
      const { limit, position: [before = Number.MAX_SAFE_INTEGER] = [] } = page;
      const { deliveries, isMore } = await deliveriesOf(id, { before: Number(before), limit, now });
      const path = `${pathOf(id)}/deliveries`;
      const last = isMore ? deliveries.at(-1) : undefined;
      const expires = nearExpiry(about.values, now);
      return found({
        kind: 'document',
        name: 'deliveries',
        about,
        members: {
          items: deliveries
            .filter(({ subject }) => caller.isManager || holds(caller, scopeOfSubject(sources, subject)))
            .map(({ n, ...one }) => ({ n, href: `${basePath}${path}/${n}`, ...one })),
          limit,
          ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
        },
        links: [
          { rel: 'self', href: path },
          { rel: 'up', href: pathOf(id) },
          { rel: 'test', href: `${pathOf(id)}/test`, method: 'POST', title: 'Send a test' },
          { rel: 'rotate', href: `${pathOf(id)}/rotate`, method: 'POST', title: 'New secret' },
          ...(last ? [{ rel: 'next', href: `${path}?limit=${limit}&after=${last.n}` }] : []),
        ],
      });
    },

    async read(input: VersionCall): Promise<Outcome> {
      const one = await deliveryIn(input);
      if (one.kind !== 'delivery') return one;
      const path = `${pathOf(input.id)}/deliveries`;
      return found({
        kind: 'document',
        name: 'delivery',
        about: one.about,
        members: { ...one.delivery },
        links: [
          { rel: 'self', href: `${path}/${input.version}` },
          { rel: 'collection', href: path },
          { rel: 'repeat', href: `${path}/${input.version}/repeat`, method: 'POST', title: 'Repeat' },
        ],
      });
    },

    async repeat(input: VersionCall): Promise<Outcome> {
      const one = await deliveryIn(input);
      if (one.kind !== 'delivery') return one;
      const { about, delivery, change, test } = one;
      const { event, type, subject } = delivery;
      return send(input, about, { event, type, subject, change, test });
    },

    async test(input: ItemCall): Promise<Outcome> {
      const item = await subscriptionOf(input);
      if (!item) return missing();
      const later = renewedExpiry(item.values, input.now);
      if (later.expires !== undefined) {
        const { caller, id, now } = input;
        const renewal = { now, before: item, version: item.version };
        const result = await itemsOf(resource, caller).replace(id, { ...item.values, ...later }, renewal);
        if (result.kind !== 'written') return conflictOutcome(result);
      }
      const [event, type, subject] = [randomUUID(), 'ping', pathOf(input.id)];
      const test: CloudEvent = {
        specversion: '1.0',
        id: event,
        source: `/${resource.name}`,
        type,
        subject,
        time: new Date(input.now).toISOString(),
        sequence: '0',
        datacontenttype: 'application/json',
        data: {},
      };
      return send(input, item, { event, type, subject, test });
    },
  };
}
