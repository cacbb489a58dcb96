import { html } from 'hono/html';
import type { Fault } from '../http/problem.ts';
import type { Document } from '../representations/representation.ts';
import type { LinkFact } from '../resource/link.ts';
import { linkList } from './links.ts';
import type { Content } from './markup.ts';

interface Details {
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  readonly type: string;
  readonly requestId: string;
  readonly errors?: readonly Fault[];
  readonly links?: readonly LinkFact[];
  /** The possible transitions or media types. */
  readonly allowed?: readonly string[];
  readonly available?: readonly string[];
}

/** The page of a problem: its title, its causes, and the request id for the operators. */
export function problemContent({ members }: Document): Content {
  const details = members as unknown as Details;
  const { title, detail, status, type, requestId, errors = [], links = [] } = details;
  const lines = errors.map(
    ({ pointer, parameter, header, detail: what }) =>
      html`<li>${pointer ?? parameter ?? header ?? ''} ${what}</li>`,
  );
  const others = details.allowed ?? details.available;
  return {
    title,
    way: [],
    body: html`<p>${detail}</p>
${lines.length > 0 && html`<ul>${lines}</ul>`}
${others && html`<p>Possible: ${others.join(', ')}</p>`}
${links.length > 0 && html`<p>Perhaps you meant:</p>`}
${linkList(links, 'Perhaps you meant')}
<p class="hint">Status ${status}, request ${requestId}. <a href="${type}">What this means</a></p>`,
  };
}
