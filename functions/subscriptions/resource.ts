import { array, boolean, resource as define, integer, object, text, timestamp, url } from 'resource-api';
import { type EventSource, TYPE_PATTERN } from '../../shared/events/webhooks/matching.ts';
import { MANAGER_SCOPE } from '../../shared/resource/access/access.ts';
import type { ListCall } from '../../shared/resource/actions/action.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import type { Endpoint, Route } from '../../shared/resource/route.ts';
import { type ActionOnDemand, DELIVERY_PARAMETERS, deliveryRoutes, onDemand } from './delivery-routes.ts';

const ordinary = define('subscriptions', {
  about: 'Receivers of events: the service posts each matching event, signed, to the URL of a subscription.',
  owner: 'subject',
  bulk: false,
  itemTitle: 'url',
  fields: {
    url: url({
      label: 'URL',
      required: true,
      example: 'https://receiver.example/events',
      help: 'An https URL of the public Internet.',
    }),
    types: array(text({ pattern: TYPE_PATTERN, maximum: 100, example: 'order.*' }), {
      required: true,
      minimum: 1,
      maximum: 20,
      label: 'Types',
      help: 'Types of events: order.paid, order.* or *.',
    }),
    resource: text({
      label: 'Collection',
      maximum: 63,
      example: 'orders',
      help: 'Only events of this collection.',
    }),
    active: boolean({ default: true, example: true }),
    reason: text({
      maximum: 1000,
      seldom: true,
      writableBy: MANAGER_SCOPE,
      help: 'Why the subscription is suspended.',
    }),
    suspendedBy: text({ server: true, label: 'Suspended by', choices: ['operators'] }),
    wasActive: boolean({ server: true, label: 'Active before', help: 'Operators resume it as it was.' }),
    formerReason: text({ server: true, maximum: 1000, label: 'Reason before' }),
    lastSuccess: timestamp({ label: 'Last success' }),
    expires: timestamp({
      label: 'Rights end',
      help: 'Without a change or a test until then, the subscription gets no more events.',
    }),
    previousUntil: timestamp({ label: 'Old secret until' }),
    secret: text({
      server: true,
      once: true,
      maximum: 100,
      help: 'The key of the signatures. Only the response that makes it has it.',
    }),
  },
  actions: {
    rotate: {
      summary: 'New secret',
      about: 'Makes a new secret. For the time of the overlap, the old one also signs.',
      body: object({
        overlap: integer({
          label: 'Overlap in seconds',
          minimum: 0,
          maximum: 604_800,
          default: 86_400,
          example: 86_400,
        }),
      }),
      // `ownRoute` replaces it, because the service stores no secret with an item.
      run: () => undefined,
    },
  },
  computed: {
    status: {
      as: text({
        choices: ['active', 'paused', 'suspended'],
        meanings: { active: 'positive', suspended: 'negative' },
      }),
      value: ({ active, reason }) =>
        active === false ? (reason === undefined ? 'paused' : 'suspended') : 'active',
    },
  },
});

/** The resources whose events subscriptions can select. The first request that needs them loads them. */
interface SubscriptionFacts {
  readonly eventSources: () => Promise<readonly EventSource[]>;
}

/** Subscriptions: clients get the events of items by webhooks. Source: Specification 18. */
export const subscriptions = ({ eventSources }: SubscriptionFacts): Resource =>
  resource({
    ...ordinary,
    sortable: [],
    filters: {},
    relations: {},
    referredBy: () => [],
    isCleared: () => false,
    otherNames: () => ordinary.otherNames,
    // The secret would not reach a client that does not wait for its operation.
    deferral: false,
    parameters: DELIVERY_PARAMETERS,
    links: ({ id }) => [{ rel: 'deliveries', href: `/subscriptions/${id}/deliveries` }],
    routes: (made) => {
      const action = onDemand(async () =>
        (await import('./subscription-actions.ts')).subscriptionActions(made, await eventSources()),
      );
      return [...ordinary.routes.map((route) => ownRoute(action, route)), ...deliveryRoutes(action)];
    },
  });

/** An ordinary route with the actions of subscriptions. */
function ownRoute(action: ActionOnDemand, route: Route): Route {
  const refusals = ['forbidden', 'conflict'] as const;
  const ownEndpoint = (endpoint: Endpoint): Endpoint => {
    switch (endpoint.takes) {
      case 'list': {
        const ofAll = action(({ list }) => list);
        const run = (input: ListCall) => (input.caller.isManager ? ofAll : endpoint.run)(input);
        return { ...endpoint, managed: true, run };
      }
      case 'create': {
        const { several: _, ...one } = endpoint;
        return { ...one, run: action(({ create }) => create), refusals };
      }
      case 'replace': {
        const managed = endpoint.id === 'patch';
        return { ...endpoint, managed, run: action(({ replace }) => replace), refusals };
      }
      case 'customOfItem':
        // A button sends the default overlap, so no page asks for it.
        return { ...endpoint, form: 'transition', run: action(({ rotate }) => rotate) };
      case 'item': {
        const run = endpoint.id === 'remove' ? action(({ remove }) => remove) : endpoint.run;
        return { ...endpoint, managed: endpoint.form === undefined, run };
      }
      default:
        return endpoint;
    }
  };
  const all = Object.entries(route.endpoints).filter(
    ([, one]) => one.form !== 'action' || one.shape !== 'form',
  );
  const endpoints = all.map(([method, one]) => [method, ownEndpoint(one)]);
  return { ...route, endpoints: Object.fromEntries(endpoints) };
}
