import { PRICED, PRICES } from '../../../../infra/cost/prices.ts';
import { table } from '../../../table.ts';

/** All prices of the model. */
export function priceTable(): string {
  const rows = Object.values(PRICES).map(({ usd, per, unit, source }) => [
    String(usd),
    per === 1 ? unit : `${per.toLocaleString('en')} ${unit}`,
    `[${source.replace('https://aws.amazon.com/', '').replace(/\/.*$/, '')}](${source})`,
  ]);
  return `List prices of ${PRICED.region}, ${PRICED.month}, first tier, without free tiers.\n\n${table(['$', 'for', 'Source'], rows)}`;
}
