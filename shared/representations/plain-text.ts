import type { PlainRepresentation } from './representation.ts';

/** The plain text of a document, if it has one. Source: RFC 2046 §4.1.3. */
export const plainText: PlainRepresentation = {
  mediaType: 'text/plain',
  contentType: 'text/plain; charset=utf-8',
  suffix: 'text',
  write: ({ plain }) => plain ?? '',
};

/** The links of a document, if it has this form. Source: RFC 6690 §7.3; RFC 7089 §5. */
export const linkFormat: PlainRepresentation = {
  ...plainText,
  mediaType: 'application/link-format',
  contentType: 'application/link-format',
  suffix: 'links',
};

/** The events as a JSON array, without the members of a list. Source: CloudEvents JSON format 1.0.2 §4. */
export const eventBatch: PlainRepresentation = {
  ...plainText,
  mediaType: 'application/cloudevents-batch+json',
  contentType: 'application/cloudevents-batch+json; charset=utf-8',
  suffix: 'events',
};
