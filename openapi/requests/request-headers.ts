import type { Parameter, Schema } from '../model.ts';
import { ENTITY_TAGS, IDEMPOTENCY_KEY } from './syntax.ts';

/** Maximum bytes of all header fields together, as in API Gateway. */
const MAXIMUM = 10_240;

/**
 * The description of each field, and the rules of its value. The example is in the schema: as an example of the
 * parameter, documentation pages would send it with every request. A value that fits one request only has no example.
 * The service refuses values that do not match a pattern. It ignores unreadable values of fields without one, as their
 * RFCs require. The text of the description has the fields that few clients send.
 */
const FIELDS: Readonly<Record<string, readonly [description: string, rules: Schema]>> = {
  'If-Match': [
    'Apply the request only if the state has one of these tags. RFC 9110 §13.1.1.',
    { pattern: ENTITY_TAGS, examples: ['*'] },
  ],
  'If-None-Match': [
    'Apply the request only if the state has none of these tags; `*`: only if nothing exists. RFC 9110 §13.1.2.',
    { pattern: ENTITY_TAGS, examples: ['"0.1-json"'] },
  ],
  Range: ['The bytes to return: up to five ranges. RFC 9110 §14.2.', { examples: ['bytes=0-99'] }],
  Prefer: [
    'return=minimal: no body; return=representation: the new state; count=exact: count the list; handling=strict: refuse unknown parameters; handling=lenient: apply each element of a bulk request separately; max-affected=9: refuse to remove more items; respond-async: run the request as an operation; dry-run: change nothing, and get 200 with the plan `{dryRun, status, total, effects}`; wait=5: wait up to 5 seconds for the operation; server-timing: add the field Server-Timing. RFC 7240.',
    { examples: ['count=exact'] },
  ],
  'Idempotency-Key': [
    'The service applies requests with the same key once. Use a new key for each new request, such as `"8e03978e-40d5-43dd-bc93-6894a57f9324"`. draft-ietf-httpapi-idempotency-key-header.',
    { minLength: 1, maxLength: 512, pattern: IDEMPOTENCY_KEY },
  ],
};

/**
 * Header fields of requests, by name. OpenAPI itself describes Accept, Content-Type and Authorization. Source:
 * OpenAPI 3.1.1 §4.8.12.2.
 */
export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  Object.entries(FIELDS).map(([name, [description, rules]]) => [
    name,
    { name, in: 'header', description, schema: { type: 'string', maxLength: MAXIMUM, ...rules } },
  ]),
);
