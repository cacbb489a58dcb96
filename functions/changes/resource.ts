import { validatorOf } from '#validators';
import type { EventSource } from '../../shared/events/webhooks/matching.ts';
import { lazily } from '../../shared/on-demand.ts';
import { UNDO_ALL_SCOPE, UNDO_SCOPE } from '../../shared/resource/access/access.ts';
import {
  anyValue,
  array,
  boolean,
  dateTime,
  integer,
  structure,
  text,
  timestamp,
} from '../../shared/resource/description/fields.ts';
import { describe } from '../../shared/resource/description/plan.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import { tryingOut } from '../../shared/store/actions/trying-out.ts';
import { CHANGES_TABLE } from '../../shared/store/form/log-table.ts';
import { IDEMPOTENCY_TABLE, recordedAnswers } from '../../shared/store/idempotency/answers.ts';
import { AFTER, BY, LIMIT, RESOURCE, SINCE, TYPE } from './changes-query.ts';
import { list } from './list.ts';

const EVENT = {
  specversion: text('CloudEvents version', { choices: ['1.0'], example: '1.0' }),
  id: text('Identifier', { example: '5f2b8c0d9e1a4b7c8d9e0f1a2b3c4d5e' }),
  source: text('Source', { example: '/orders' }),
  type: text('Type', { example: 'order.paid' }),
  subject: text('Subject', { example: '/orders/7' }),
  time: timestamp('Time'),
  authtype: text('Kind of the author', { choices: ['unknown'], example: 'unknown' }),
  authid: text('Hash of the author', { example: 'mF0iKq2u' }),
  traceparent: text('Trace of the request', {
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }),
  undo: text('Operation of the undo', { example: '114811818447734' }),
  sequence: text('Sequence', { example: '0000000003' }),
  datacontenttype: text('Media type of the data', { example: 'application/json' }),
  dataref: text('Address of the data', { example: '/orders/7' }),
  data: anyValue('Data', { types: ['object'] }),
};

const LIST = {
  items: structure('Changes', EVENT, {
    several: true,
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'sequence'],
  }),
  limit: integer('Limit', { maximum: 1000, example: 100 }),
  ignored: array('Parameters without effect', text('Name', { example: 'typ' })),
};

/** The body of an undo. */
const UNDO = describe({
  singular: 'undo',
  fields: {
    since: dateTime('Time of the first change', { example: '2026-11-27T10:00:00Z' }),
    until: dateTime('Time of the last change', { seldom: true }),
    by: text('Author', { maximum: 255, example: 'agent-7' }),
    resources: array('Collections', text('Name', { example: 'orders' })),
    operation: integer('Operation that made the changes', { example: 114811818447734 }),
    over: boolean('Also items that others have changed since'),
  },
  required: [],
});

const { undo, checkUndo } = lazily(() => import('./undo/undo.ts'), ['undo', 'checkUndo']);

const deferral = lazily(
  async () => (await import('../../shared/operations/accepting/defer.ts')).deferral,
  ['accept', 'waitForEnd'],
);

/** The resources of the service, which the first request loads. */
interface ChangesFacts {
  readonly registry: () => Promise<readonly Resource[]>;
  readonly eventSources: () => Promise<readonly EventSource[]>;
}

/** The changes of all items with history, as one list that clients follow. Source: Specification 17. */
export const changes = ({ registry, eventSources }: ChangesFacts): Resource =>
  resource({
    name: 'changes',
    title: 'Changes',
    about:
      'Every change of items, oldest first. A client stores the link to the next page and follows it later.',
    parameters: {
      [RESOURCE]: text('Resources', { example: 'orders,customers', seldom: true }),
      [TYPE]: text('Types of events', { example: 'order.removed,customer.*', seldom: true }),
      [SINCE]: text('Time of the first change', { example: '2026-11-26T10:00:00Z', seldom: true }),
      [BY]: text('Author', { maximum: 255, example: 'agent-7', seldom: true }),
      [LIMIT]: integer('Most changes of the page', { minimum: 1, example: 100, seldom: true }),
      [AFTER]: text('Place after which the page begins', {
        example: 'AWEBAAAGYUyIwKgAqZ_6CH1Dxmk',
        seldom: true,
      }),
    },
    uses: [
      { table: CHANGES_TABLE.name, access: 'follow' },
      { table: IDEMPOTENCY_TABLE.name, access: 'wait' },
    ],
    idempotency: recordedAnswers,
    deferral,
    // An undo has no record while it is tried out.
    dryRun: tryingOut(async () => (await registry()).filter(({ tracked }) => !tracked)),
    routes: () => [
      {
        path: '/changes',
        endpoints: {
          GET: {
            id: 'changes',
            takes: 'changes',
            run: async (input) =>
              list(
                (await registry()).filter(({ history }) => history),
                await eventSources(),
                input,
              ),
            content: 'none',
            shape: 'document',
            plain: 'application/cloudevents-batch+json',
            summary: 'Follow the changes of items',
            refusals: ['forbidden', 'gone'],
            parameters: [RESOURCE, TYPE, SINCE, BY, LIMIT, AFTER],
            fields: LIST,
            required: ['items', 'limit'],
          },
        },
      },
      {
        path: '/changes/undo',
        // The authorizer knows only the scopes `read` and `write` of a path. The flow checks this one.
        access: 'authenticated',
        endpoints: {
          POST: {
            id: 'undo',
            form: 'action',
            takes: 'customOfList',
            run: async (input) => undo(await registry(), input),
            check: async (input) => checkUndo(await registry(), input),
            scope: UNDO_SCOPE,
            widerScope: UNDO_ALL_SCOPE,
            isLong: true,
            content: 'body',
            body: { description: UNDO, relations: {}, validate: validatorOf('changes.undo', UNDO) },
            summary: 'Undo changes',
            about:
              'Takes changes back, as an operation: those of the caller since a time, those of another caller, or those of an operation.',
            refusals: ['forbidden', 'conflict'],
          },
        },
      },
    ],
  });
