import { createHash } from 'node:crypto';
import { Fault } from '../fault.ts';
import { badParameter, milliseconds, type Queue, type Sqs } from './sqs.ts';

/** A message attribute on the wire; BinaryValue is base64. */
export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  BinaryValue?: string;
}

/** What SendMessage and an entry of SendMessageBatch share. */
export interface Outgoing {
  MessageBody?: string;
  DelaySeconds?: number;
  MessageAttributes?: Record<string, MessageAttribute>;
  MessageGroupId?: string;
}

/** Largest message, and largest batch, in bytes. Source: SQS Developer Guide "Amazon SQS message quotas". */
export const MAX_BYTES = 1024 * 1024;

/** Bytes of a message: its body, and names, types and values of its attributes. */
export function messageSize({
  MessageBody: body = '',
  MessageAttributes: attributes = {},
}: Outgoing): number {
  let size = Buffer.byteLength(body);
  for (const [name, { DataType, StringValue = '', BinaryValue = '' }] of Object.entries(attributes)) {
    size += Buffer.byteLength(name + DataType + StringValue) + Buffer.byteLength(BinaryValue, 'base64');
  }
  return size;
}

/** Stores a message and answers what SendMessage does. Run it inside a transaction; wake the queue after it. */
export function store(sqs: Sqs, queue: Queue, message: Outgoing): object {
  const { MessageBody: body, MessageAttributes: attributes = {}, DelaySeconds: delay } = message;
  if (!body) throw new Fault('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (messageSize(message) > MAX_BYTES) {
    throw badParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_BYTES} bytes.`,
    );
  }
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(body)) {
    throw new Fault('InvalidMessageContents', 'Invalid characters found.');
  }
  if (delay !== undefined && !(delay >= 0 && delay <= 900)) {
    throw badParameter(
      `Value ${delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`,
    );
  }
  const now = sqs.clock();
  const id = crypto.randomUUID();
  sqs.storage.run(
    `INSERT INTO msg (message_id, queue, visible_at, expires_at, sent_at, body, attributes, group_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    queue.id,
    now + (delay === undefined ? milliseconds(queue, 'DelaySeconds') : delay * 1000),
    now + milliseconds(queue, 'MessageRetentionPeriod'),
    now,
    body,
    JSON.stringify(attributes),
    message.MessageGroupId ?? null,
  );
  return { MessageId: id, MD5OfMessageBody: md5(body), ...attributesMd5(attributes) };
}

/** Hex MD5 of a body. */
export function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex');
}

/**
 * The digest of message attributes; no member if there are none.
 *
 * Source: SQS Developer Guide "Calculating the MD5 message digest for message attributes".
 */
export function attributesMd5(attributes: Record<string, MessageAttribute>): {
  MD5OfMessageAttributes?: string;
} {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return {};
  const pieces = names.flatMap((name) => {
    const { DataType, StringValue, BinaryValue } = attributes[name] as MessageAttribute;
    const value =
      BinaryValue === undefined ? Buffer.from(StringValue ?? '') : Buffer.from(BinaryValue, 'base64');
    const kind = Buffer.of(BinaryValue === undefined ? 1 : 2);
    return [...measured(Buffer.from(name)), ...measured(Buffer.from(DataType)), kind, ...measured(value)];
  });
  return { MD5OfMessageAttributes: md5(Buffer.concat(pieces)) };
}

function measured(bytes: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
