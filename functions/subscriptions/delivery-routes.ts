import type { Outcome } from '../../shared/resource/actions/outcome.ts';
import * as field from '../../shared/resource/description/fields.ts';
import type { Route } from '../../shared/resource/route.ts';
import type { subscriptionActions } from './subscription-actions.ts';

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
    { several: true, required: ['href', ...REQUIRED] },
  ),
  limit: field.integer('Limit', { maximum: 100, example: 20 }),
  expires: field.timestamp('Rights end'),
};

/** The parameters of the paths and queries of deliveries. */
export const DELIVERY_PARAMETERS = {
  n: DELIVERY.n,
  limit: field.integer('Most entries of the page', { example: 20, seldom: true }),
  after: field.integer('Number after which the page begins', { example: 4, seldom: true }),
};

type Actions = ReturnType<typeof subscriptionActions>;

/** Makes an action of subscriptions that loads its code, which few requests need. */
export const onDemand =
  (load: () => Promise<Actions>) =>
  <Input>(actionIn: (actions: Actions) => (input: Input) => Promise<Outcome>) =>
  async (input: Input): Promise<Outcome> =>
    actionIn(await load())(input);

/** The result of `onDemand`. */
export type ActionOnDemand = ReturnType<typeof onDemand>;

/** The routes of the deliveries of a subscription, and of its test. Source: Specification 18.10, 18.11. */
export function deliveryRoutes(action: ActionOnDemand): Route[] {
  // Preconditions of a request that sends an event are about its subscription.
  const reads = {
    takes: 'item',
    run: action(({ deliveries }) => deliveries.subscription),
  } as const;
  const path = '/subscriptions/{id}/deliveries';
  return [
    {
      path,
      endpoints: {
        GET: {
          id: 'deliveries',
          managed: true,
          takes: 'versions',
          run: action(({ deliveries }) => deliveries.list),
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
          managed: true,
          takes: 'version',
          run: action(({ deliveries }) => deliveries.read),
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
          run: action(({ deliveries }) => deliveries.repeat),
          content: 'none',
          form: 'transition',
          refusals: ['conflict'],
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
          run: action(({ deliveries }) => deliveries.test),
          content: 'none',
          form: 'transition',
          refusals: ['conflict'],
          reads,
          summary: 'Send a test event',
        },
      },
    },
  ];
}
