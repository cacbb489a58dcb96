/** A bar of a chart. `value` is absent if the peer did not run. */
export interface Bar {
  readonly name: string;
  readonly value: number | undefined;
  /** True for the bar of this service, which has a colour of its own. */
  readonly isOurs: boolean;
  /** The text at the end of the bar. */
  readonly label: string;
}

const WIDTH = 640;
const NAMES = 178;
const LABELS = 92;
const ROW = 26;
const TOP = 40;

/** Readers choose the theme of their browser. */
const STYLE = `text{fill:#1f2328}rect{fill:#8c959f}.ours{fill:#0969da}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#6e7681}.ours{fill:#4493f8}}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Draws a bar chart as SVG. The longest bar fills the width, and lengths are proportional to values. `best`: the bar on
 * top, the others follow in order. A peer that did not run comes last.
 */
export function chart(title: string, bars: readonly Bar[], best: 'longest' | 'shortest' = 'longest'): string {
  const rank = ({ value }: Bar) =>
    value === undefined ? Number.POSITIVE_INFINITY : best === 'longest' ? -value : value;
  const most = Math.max(...bars.map(({ value = 0 }) => value), Number.MIN_VALUE);
  const height = TOP + bars.length * ROW + 6;
  const sorted = bars.toSorted((one, other) => rank(one) - rank(other) || 0);
  const rows = sorted.map(({ name, value = 0, label, isOurs }, at) => {
    const y = TOP + at * ROW;
    const width = Math.round((value / most) * (WIDTH - NAMES - LABELS));
    return [
      `<text x="${NAMES - 8}" y="${y + 14}" text-anchor="end">${escaped(name)}</text>`,
      `<rect x="${NAMES}" y="${y}" width="${width}" height="18" rx="2"${isOurs ? ' class="ours"' : ''}/>`,
      `<text x="${NAMES + width + 6}" y="${y + 14}">${escaped(label)}</text>`,
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13">`,
    `<style>${STYLE}</style>`,
    `<text x="8" y="20" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}
