import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { NAME, VERSION } from '#about';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import { lookupFor, urlFault } from '../../shared/events/webhooks/address.ts';

/**
 * The result of an attempt: the status code of the response, or why there is none. `gone`: the receiver wants no further
 * events. `isLate`: it did not respond in time.
 */
export interface Answer {
  readonly outcome: 'delivered' | 'gone' | 'failed';
  readonly status?: number;
  readonly reason?: string;
  readonly isLate?: boolean;
}

/**
 * `secrets`: each makes a signature. `expires`: the end of the rights of the subscription, if it is near. `patience`: how
 * long the receiver may take, in ms. `loopback`: it may be on this machine. `now`, `expires`: ms since the epoch.
 */
interface Sending {
  readonly secrets: readonly string[];
  readonly expires?: number | undefined;
  readonly now: number;
  readonly patience: number;
  readonly loopback: boolean;
}

/**
 * The header fields with which a receiver verifies a message.
 *
 * Source: Standard Webhooks, "Webhook metadata", "Signature scheme".
 */
export function signatureOf(id: string, content: string, { secrets, now }: Pick<Sending, 'secrets' | 'now'>) {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * Posts an event to the receiver of a subscription. It follows no redirect, and reads no content of the response.
 *
 * Source: Specification 18.6 to 18.8; CloudEvents 1.0.2, "HTTP Protocol Binding" §3.2 (structured mode).
 */
export async function post(address: string, event: CloudEvent, sending: Sending): Promise<Answer> {
  const { patience, loopback, expires } = sending;
  const fault = urlFault(address, loopback);
  if (fault !== undefined) return failed(`The URL ${fault}`);
  const content = JSON.stringify(event);
  const url = new URL(address);
  const signal = AbortSignal.timeout(patience);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/cloudevents+json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(content),
      'User-Agent': `${NAME.replace(/[^\w.-]/g, '')}/${VERSION}`,
      ...signatureOf(event.id, content, sending),
      ...(expires === undefined ? {} : { 'Webhook-Expires': new Date(expires).toISOString() }),
    },
    // A new connection for each attempt, so that each address is checked.
    agent: false,
    lookup: lookupFor(url, loopback),
    signal,
  });
  const late = `The receiver did not respond within ${patience / 1000} s`;
  return new Promise((settle) => {
    request.once('response', (response) => {
      response.destroy();
      const { statusCode: status = 0 } = response;
      const isDelivered = status >= 200 && status < 300;
      settle({ outcome: isDelivered ? 'delivered' : status === 410 ? 'gone' : 'failed', status });
    });
    // A destroyed response is an error for Node too, after the promise is settled.
    request.on('error', ({ message }) => settle(failed(signal.aborted ? late : message, signal.aborted)));
    request.end(content);
  });
}

const failed = (reason: string, isLate = false): Answer => ({ outcome: 'failed', reason, isLate });
