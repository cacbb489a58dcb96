import type { Fault, Problem, ProblemName, Rule } from '../shared/http/problem.ts';
import { breadcrumbsOf } from './frame/breadcrumbs.ts';

/** What a page says of each problem: its title, and its advice instead of the detail for API clients. */
const WORDS: Readonly<Partial<Record<ProblemName, readonly [title: string, advice?: string]>>> = {
  'malformed-request': ['This cannot be read'],
  'malformed-body': ['This cannot be read'],
  'validation-error': ['Some values need a correction', 'Go back, correct them and try again'],
  unauthenticated: ['Sign in first'],
  forbidden: ['You may not do this'],
  'not-found': ['Not found', 'There is no page at this address'],
  'method-not-allowed': ['This is not possible here', 'Go back to the page that led you here'],
  'not-acceptable': ['There is no page for this', 'Go back to the page that led you here'],
  'request-timeout': ['This took too long', 'Try again in a moment'],
  conflict: ['This is not possible now'],
  'invalid-transition': ['Its present state does not allow this', 'Look at it again'],
  'operation-finished': ['The work has finished already', 'It cannot be canceled any more'],
  gone: ['This is no longer here', 'Its time is over. Go back to the list'],
  'precondition-failed': ['It has changed since you opened the page', 'Look at it again, then decide'],
  'payload-too-large': ['This is too large'],
  'uri-too-long': ['The address is too long', 'Use fewer or shorter values'],
  'unsupported-media-type': ['This kind of file does not fit here'],
  'idempotency-key-reused': [
    'You have sent this form before',
    'Nothing has changed now. Open the page again to send other values',
  ],
  'too-many-requests': ['Too many requests', 'Wait a moment, then try again'],
  'headers-too-large': ['The request is too large'],
  internal: ['Something went wrong'],
  'bad-gateway': ['This does not work right now', 'Try again in a moment'],
  unavailable: ['This does not work right now', 'Try again in a moment'],
  timeout: ['This took too long', 'Try again in a moment'],
};

/** Returns the title of a problem for people. `title`: the one for API clients. */
export const titleInWords = (name: string, title: string): string => WORDS[name as ProblemName]?.[0] ?? title;

/** Returns what a failure of the service itself means for a person; undefined for every other problem. */
const faultOfService = (name: string): string | undefined =>
  ['internal', 'unavailable', 'timeout', 'bad-gateway'].includes(name)
    ? 'Some of the work was not done. Look at the items, then start the rest again'
    : undefined;

/** Returns the sentence for the problem of one item: words for a fault of the service or of values, otherwise its `detail`. */
export const detailInWords = (name: string, detail: string | undefined): string | undefined =>
  faultOfService(name) ?? (name === 'validation-error' ? titleInWords(name, '') : detail);

/** Returns a choice for people: a state of an operation in words. */
export const choiceInWords = (choice: string): string => (choice === 'NotStarted' ? 'Not started' : choice);

/** Returns the name of a problem in its type, such as `/problems/conflict`. */
export const nameOfType = (type: string): string =>
  type.slice(Math.max(type.lastIndexOf('/'), type.lastIndexOf('#')) + 1);

const ACTIONS: Readonly<Record<string, string>> = { read: 'see', write: 'change' };

/** Returns what a person can do after a problem at a path. */
export function adviceOn({ name, detail, lacks, missing }: Problem, path: string): string {
  if (name === 'forbidden' && lacks !== undefined) {
    const [items = '', action = ''] = lacks.split(':');
    const verb = ACTIONS[action];
    const refusal = verb ? `You may not ${verb} ${items}` : `You may not do this with ${items}`;
    return `${refusal}. Ask the people who run this service for access, then sign out and sign in again`;
  }
  const [, item] = missing === 'item' ? breadcrumbsOf(path.split('/').slice(1, 3), '') : [];
  if (item)
    return `There is no ${item[0].charAt(0).toLowerCase()}${item[0].slice(1)}. Perhaps it was deleted`;
  return missing ?? WORDS[name]?.[1] ?? detail;
}

const RULES: Readonly<Partial<Record<Rule, string>>> = {
  required: 'fill this in',
  pattern: 'has another form than this value needs',
  empty: 'fill in at least one of the inputs',
  items: 'the file has no items',
};

/** Returns what is wrong, for people. */
export const faultInWords = ({ rule, detail }: Pick<Fault, 'rule' | 'detail'>): string =>
  (rule && RULES[rule]) ?? detail;
