import { MAXIMUM_TEXT } from '../../http/maximum-sizes.ts';
import type { Shown } from '../../resource/actions/outcome.ts';
import { endedEarly } from '../../resource/lists/page.ts';
import type { Rendered, View } from '../exchange.ts';
import { documentOf } from './document.ts';

/** The search for more items of a page stops when its text fills this share of the maximum. */
const FULL = 0.8;

/**
 * Renders a state in the representation of the exchange. If the text of a list is larger than a function can
 * return, the page ends early. Source: Specification 4.2.
 */
export async function renderWithinLimit(exchange: View, state: Shown): Promise<Rendered> {
  const whole = await write(exchange, state);
  if (state.kind !== 'list' || bytesOf(whole) <= MAXIMUM_TEXT) return whole;
  const backwards = exchange.page.after?.backwards === true;
  let fitting: Rendered | undefined;
  let least = 1;
  let most = state.page.items.length - 1;
  let share = MAXIMUM_TEXT / bytesOf(whole);
  while (least <= most) {
    // If all items have the same size, the first attempt fits. Otherwise a few more attempts follow.
    const count = Math.floor(least + (most - least) * share);
    const page = endedEarly(state.page, count, backwards);
    if (!page) return whole;
    const shorter = await write(exchange, { kind: 'list', page });
    const bytes = bytesOf(shorter);
    share = 0.5;
    if (bytes > MAXIMUM_TEXT) most = count - 1;
    else {
      fitting = shorter;
      if (bytes > FULL * MAXIMUM_TEXT) break;
      least = count + 1;
    }
  }
  return fitting ?? whole;
}

const bytesOf = ({ text }: Rendered): number => Buffer.byteLength(text);

async function write(exchange: View, state: Shown): Promise<Rendered> {
  const document = documentOf(exchange, state);
  const text = await exchange.representation.write(document, exchange);
  return { state, document, text };
}
