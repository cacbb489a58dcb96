import { brief, PROBLEMS, type Problem, withoutRules } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Fields } from '../../resource/description/description.ts';
import {
  anyValue,
  capitalize,
  integer,
  structure,
  text,
  timestamp,
} from '../../resource/description/fields.ts';
import { describe } from '../../resource/description/plan.ts';
import type { Item } from '../../resource/item.ts';

/** The states of an operation. Clients must accept unknown names. Source: Specification 7.6. */
export const STATUSES = ['NotStarted', 'Running', 'Canceling', 'Succeeded', 'Failed', 'Canceled'] as const;
export type Status = (typeof STATUSES)[number];
/** The states in which an operation has ended. It does not change any more. */
export const FINAL: readonly Status[] = ['Succeeded', 'Failed', 'Canceled'];

const PROBLEM = {
  type: text('Type', { reference: true, example: '/problems/conflict' }),
  title: text('Title', { example: PROBLEMS.conflict.title }),
  status: integer('Status code', { maximum: 999, example: PROBLEMS.conflict.status }),
  detail: text('Detail', { example: 'There is no customer 5' }),
};

/** True if the operation has ended. */
export const isFinal = ({ values }: Item): boolean => FINAL.includes(values.status as Status);

/**
 * Who continues an operation. `request`: the worker runs the stored request. `upload`: notifications of S3 do, when the
 * client has sent its files. `backfill`: the worker brings the items of a resource up to date. `schedule`: the function
 * of a schedule runs its code.
 */
export type Handler = 'request' | 'upload' | 'backfill' | 'schedule';

/** Who continues the operation. */
export function handlerOf({ internal: { handler } }: Item): Handler {
  return handler === 'upload' || handler === 'backfill' || handler === 'schedule' ? handler : 'request';
}

/** The work of each kind of operation, before the name of a resource. */
const WORK: Readonly<Record<string, string>> = {
  create: 'New',
  createAll: 'New',
  change: 'Change of',
  patch: 'Change of',
  replace: 'Change of',
  replaceAll: 'Change of',
  upload: 'Upload of',
  remove: 'Deletion of',
  removeAll: 'Deletion of',
};

/** Returns the kind of an operation in words: `Deletion of customers`. */
function workOf(kind: string): string | undefined {
  const [items = '', action = ''] = kind.split('.');
  if (items === '' || action === '') return undefined;
  return `${WORK[action] ?? `${capitalize(action)}:`} ${items}`;
}

/** What the result of an undo has in addition. Source: Specification 17.9. */
const UNDONE = {
  restored: integer('Items that an undo changed back or brought back', { example: 140 }),
  removed: integer('Items that an undo removed', { example: 12 }),
  unchanged: integer('Items that were already as before', { example: 2 }),
  skipped: structure(
    'Items that an undo left',
    {
      resource: text('Collection', { example: 'orders' }),
      id: anyValue('Identifier', { types: ['number', 'string'], example: 9 }),
      reason: text('Reason', { example: 'changed since by bo' }),
    },
    { several: true, required: ['resource', 'reason'] },
  ),
};

/** What an operation is, for its description. */
export const FACTS = {
  singular: 'operation',
  title: ({ kind }) => workOf(String(kind ?? '')),
  identifier: { name: 'operationId', kind: 'integer', label: 'Number', example: 114811818447734 },
  fields: {
    kind: text('Kind', { coded: true, server: true, maximum: 100, example: 'customers.removeAll' }),
    status: text('Status', {
      server: true,
      maximum: 50,
      choices: STATUSES,
      meanings: {
        NotStarted: 'waiting',
        Running: 'waiting',
        Canceling: 'waiting',
        Succeeded: 'positive',
        Failed: 'negative',
      },
      grows: true,
      example: 'Running',
    }),
    startedAt: timestamp('Started', { server: true }),
    completedAt: timestamp('Completed', { server: true, seldom: true }),
    estimatedCompletionTime: timestamp('Estimated completion', { server: true }),
    percentComplete: integer('Complete', { server: true, unit: 'percent', maximum: 100, example: 42 }),
    progress: structure(
      'Progress',
      {
        done: integer('Done', { example: 420 }),
        total: integer('Total', { example: 1000 }),
        failed: integer('Failed', { example: 0 }),
      },
      { required: ['done', 'failed'] },
    ),
    result: structure(
      'Result',
      {
        status: integer('Status code that the request would have got without deferral', {
          maximum: 999,
          example: 204,
        }),
        failures: structure(
          'The first failures',
          {
            href: text('Address', { reference: true, example: '/customers/114811818447734' }),
            problem: structure('Problem', PROBLEM, { required: ['title'], open: true }),
          },
          { several: true },
        ),
        ...UNDONE,
      },
      { required: ['status'], seldom: true },
    ),
    error: structure('Error', PROBLEM, { open: true, seldom: true }),
    expiresAt: timestamp('Kept until', { server: true }),
  },
  internal: {
    owner: integer('Owner'),
    handler: text('Who continues it'),
    location: text('Path of the created resource'),
    scopes: text('Scopes that the token of the request lacked'),
  },
} satisfies Parameters<typeof describe>[0];

/** Returns the fields of an operation without those of the result of an undo. */
export function withoutUndo(fields: Fields): Fields {
  const { result } = fields;
  if (result?.kind !== 'structure') return fields;
  const others = Object.entries(result.fields).filter(([name]) => !Object.hasOwn(UNDONE, name));
  return { ...fields, result: { ...result, fields: Object.fromEntries(others) } };
}

/** The properties of an operation. Source: Specification 7.5. */
export const description = describe(FACTS);

/** Failures that an operation stores. It only counts further ones. */
const MAXIMUM_FAILURES = 100;
/** Characters of all stored failures. A DynamoDB item holds 400 KB, and DynamoDB charges each change by its size. */
const MAXIMUM_CHARACTERS = 64_000;
/** Limits of one failure. */
const ROOM = { causes: 5, characters: 300 };

/** Returns the first failures, as many as fit into a record. */
export function firstFailures(failures: readonly JsonObject[]): JsonObject[] {
  let room = MAXIMUM_CHARACTERS;
  return failures.slice(0, MAXIMUM_FAILURES).filter((one) => {
    room -= JSON.stringify(one).length;
    return room >= 0;
  });
}

/** Returns the problem of one failure, shortened, and without extension properties and header fields. */
export const ofMany = ({ name, detail, errors }: Problem): Problem =>
  brief({ name, detail, ...(errors ? { errors: withoutRules(errors) } : {}) }, ROOM);
