/** Formats US dollars: with cents, or with three digits if the value is below one cent. */
export function usd(value: number): string {
  if (value === 0) return '0';
  if (value < 0.01) return value.toPrecision(1);
  if (value < 100) return value.toFixed(2);
  return Math.round(value).toLocaleString('en');
}
