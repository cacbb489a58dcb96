import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { breadcrumbsAbout, nameAt } from '../frame/breadcrumbs.ts';
import { mayWrite } from '../frame/person.ts';
import { linksOf, quietButton } from '../links.ts';
import { pager } from '../lists/list-controls.ts';
import { type Content, requirePart } from '../markup.ts';
import { nameAbout } from '../names/item-name.ts';
import { showValue } from '../shown-value.ts';

interface Entry {
  readonly href: string;
  readonly type: string;
  readonly subject: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly status?: number;
  readonly reason?: string;
  readonly time: string;
  readonly duration: number;
  readonly next?: string;
}

/** Returns the page with the deliveries of a subscription, newest first, or with one. Source: Specification 18.12. */
export function deliveriesContent(document: Document, place: Place): Content {
  const { members } = document;
  const isList = 'items' in members;
  const items = (isList ? members.items : [{ ...members, href: place.basePath + place.path }]) as Entry[];
  const breadcrumbs = breadcrumbsAbout(document, place);
  const address = breadcrumbs.at(-1)?.[1];
  const isWriter = mayWrite(requirePart(place.resource), place);
  return {
    title: `${isList ? 'Deliveries' : 'Delivery'} to ${nameAbout(document)}`,
    breadcrumbs: isList ? breadcrumbs : [...breadcrumbs, ['Deliveries', `${address}/deliveries`]],
    actions:
      isWriter && isList
        ? [
            quietButton(`${address}/test`, 'Send a test', place),
            quietButton(`${address}/rotate`, 'New secret', place),
          ]
        : [],
    body: html`${
      members.expires !== undefined &&
      html`<p class="effect">The rights of the subscription end at ${showValue(String(members.expires))}. Send a test, or change the subscription, to renew them.</p>`
    }${
      items.length === 0
        ? html`<p>No deliveries in the last seven days.</p>`
        : html`<div class="scroll" role="region" aria-label="Deliveries" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Item</th><th scope="col">Attempt</th><th scope="col">Result</th><th scope="col">Duration</th><th scope="col">Next attempt</th>${isWriter && html`<th scope="col">Repeat</th>`}</tr></thead>
<tbody>
${items.map(
  (one) =>
    html`<tr><th scope="row"><a href="${one.href}">${showValue(one.time)}</a></th><td>${one.type}</td><td><a href="${place.basePath}${one.subject}">${nameAt(one.subject)}</a></td><td data-label="Attempt">${one.attempt}</td><td>${one.outcome}: ${one.status ?? one.reason}</td><td data-label="Duration">${one.duration} ms</td>${one.next === undefined ? html`<td></td>` : html`<td data-label="Next attempt">${showValue(one.next)}</td>`}${isWriter && html`<td>${quietButton(`${one.href}/repeat`, 'Repeat', place)}</td>`}</tr>`,
)}
</tbody></table></div>`
    }
${pager(linksOf(members))}`,
  };
}
