import { array, boolean, resource as define, integer, object, text, timestamp, url } from 'resource-api';
import { type EventSource, TYPE_PATTERN } from '../../shared/events/webhooks/matching.ts';
import type { Calls, CreateCall, ItemCall, ReplaceCall } from '../../shared/resource/actions/action.ts';
import * as field from '../../shared/resource/description/fields.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import type { Endpoint, Route } from '../../shared/resource/route.ts';
import type { subscriptionActions } from './actions.ts';

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
    reason: text({ server: true, maximum: 1000, help: 'Why the service has suspended the subscription.' }),
    suspendedBy: text({ server: true, label: 'Suspended by', choices: ['operators'] }),
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

const DELIVERY = {
  n: field.integer('Number', { minimum: 1, example: 114811818447734 }),
  event: field.text('Event', { example: '0f8fad5bd9cb469fa16570867728950e' }),
  type: field.text('Type', { example: 'order.paid' }),
  subject: field.text('Subject', { example: '/orders/114811818517611' }),
  attempt: field.integer('Attempt', { minimum: 1, example: 1 }),
  outcome: field.text('Outcome', { choices: ['delivered', 'failed'], example: 'delivered' }),
  status: field.integer('Status code', { maximum: 999 }),
  reason: field.text('Reason', { example: 'The receiver did not respond within 10 s' }),
  time: field.timestamp('Time'),
  duration: field.integer('Duration in ms', { example: 84 }),
  next: field.timestamp('Next attempt'),
};
const REQUIRED = ['n', 'event', 'type', 'subject', 'attempt', 'outcome', 'time', 'duration'];
const LIST = {
  items: field.structure(
    'Deliveries',
    { ...DELIVERY, href: field.text('Address', { example: '/subscriptions/7/deliveries/8' }) },
    {
      several: true,
      required: ['href', ...REQUIRED],
    },
  ),
  limit: field.integer('Limit', { maximum: 100, example: 20 }),
  expires: field.timestamp('Rights end'),
};

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
    // The secret would not reach a client that does not wait for its operation.
    deferral: false,
    parameters: {
      n: DELIVERY.n,
      limit: field.integer('Most entries of the page', { example: 20, seldom: true }),
      after: field.integer('Number after which the page begins', { example: 4, seldom: true }),
    },
    links: ({ id }) => [{ rel: 'deliveries', href: `/subscriptions/${id}/deliveries` }],
    routes: (made) => {
      const load: Load = async () =>
        (await import('./actions.ts')).subscriptionActions(made, await eventSources());
      return [...ordinary.routes.map((route) => ownRoute(load, route)), ...deliveryRoutes(load)];
    },
  });

/** Loads the code that few requests need. */
type Load = () => Promise<ReturnType<typeof subscriptionActions>>;

/** An ordinary route with the actions of subscriptions. */
function ownRoute(load: Load, route: Route): Route {
  const ownEndpoint = (endpoint: Endpoint): Endpoint => {
    if (endpoint.takes === 'create') {
      const { several: _, ...one } = endpoint;
      return {
        ...one,
        run: async (input: CreateCall) => (await load()).create(input),
        refusals: ['forbidden', 'conflict'],
      };
    }
    if (endpoint.takes === 'replace')
      return {
        ...endpoint,
        run: async (input: ReplaceCall) => (await load()).replace(input),
        refusals: ['forbidden', 'conflict'],
      };
    if (endpoint.takes === 'ownOfItem')
      return {
        ...endpoint,
        // A button sends the default overlap, so no page asks for it.
        form: 'transition',
        run: async (input: Calls['ownOfItem']) => (await load()).rotate(input),
      };
    return endpoint.takes === 'item' && endpoint.id === 'remove'
      ? { ...endpoint, run: async (input: ItemCall) => (await load()).remove(input) }
      : endpoint;
  };
  const all = Object.entries(route.endpoints).filter(
    ([, one]) => one.form !== 'action' || one.shape !== 'form',
  );
  const endpoints = all.map(([method, one]) => [method, ownEndpoint(one)]);
  return { ...route, endpoints: Object.fromEntries(endpoints) };
}

function deliveryRoutes(load: Load): Route[] {
  const deliveries = async () => (await load()).deliveries;
  // Preconditions of a request that sends an event are about its subscription.
  const reads = {
    takes: 'item',
    run: async (input: ItemCall) => (await deliveries()).subscription(input),
  } as const;
  const path = '/subscriptions/{id}/deliveries';
  return [
    {
      path,
      endpoints: {
        GET: {
          id: 'deliveries',
          takes: 'versions',
          run: async (input) => (await deliveries()).list(input),
          content: 'none',
          shape: 'document',
          summary: 'List the deliveries of a subscription',
          parameters: ['limit', 'after'],
          fields: LIST,
          required: ['items', 'limit'],
        },
      },
    },
    {
      path: `${path}/{n}`,
      endpoints: {
        GET: {
          id: 'delivery',
          takes: 'version',
          run: async (input) => (await deliveries()).read(input),
          content: 'none',
          shape: 'document',
          summary: 'Read a delivery',
          fields: DELIVERY,
          required: REQUIRED,
        },
      },
    },
    {
      path: `${path}/{n}/repeat`,
      endpoints: {
        POST: {
          id: 'repeat',
          takes: 'version',
          run: async (input) => (await deliveries()).repeat(input),
          content: 'none',
          form: 'transition',
          reads,
          summary: 'Send the event of a delivery again',
        },
      },
    },
    {
      path: '/subscriptions/{id}/test',
      endpoints: {
        POST: {
          id: 'test',
          takes: 'item',
          run: async (input) => (await deliveries()).test(input),
          content: 'none',
          form: 'transition',
          reads,
          summary: 'Send a test event',
        },
      },
    },
  ];
}
