/** US dollars as they are read: cents, and three digits of what is less than one cent. */
export function usd(value: number): string {
  if (value === 0) return '0';
  if (value < 0.01) return value.toPrecision(1);
  if (value < 100) return value.toFixed(2);
  return Math.round(value).toLocaleString('en');
}
