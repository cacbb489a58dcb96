/** A curve: its title with the unit, and its points from left to right. */
export interface Curve {
  readonly title: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 720;
const HEIGHT = 130;
/** Pixels around the plot of a curve. */
const EDGE = { left: 56, right: 12, top: 26, bottom: 18 };

/** Readers choose the theme of their browser. */
const STYLE = `text{font:12px system-ui,sans-serif;fill:#444}path{fill:none;stroke:#0a5bd0;stroke-width:1.5}
line{stroke:#bbb}.mark{stroke:#c33;stroke-dasharray:2 3}
@media(prefers-color-scheme:dark){text{fill:#ccc}path{stroke:#7ab3ff}line{stroke:#555}.mark{stroke:#f88}}`;

/** A drawing of curves, one below the other, over the same x. `marks`: values of x with a vertical line. `unit`: of x. */
export function draw(curves: readonly Curve[], unit: string, marks: readonly number[] = []): string {
  const end = Math.max(1e-9, ...curves.flatMap(({ points }) => points.map(([x]) => x)));
  const across = (x: number): string => pixels(EDGE.left + (x / end) * (WIDTH - EDGE.left - EDGE.right));
  const plots = curves.map(({ title, points }, at) => {
    const top = at * HEIGHT + EDGE.top;
    const bottom = (at + 1) * HEIGHT - EDGE.bottom;
    const most = Math.max(1e-9, ...points.map(([, y]) => y));
    const up = (y: number): string => pixels(bottom - (y / most) * (bottom - top));
    const line = points.map(([x, y], first) => `${first === 0 ? 'M' : 'L'}${across(x)} ${up(y)}`).join('');
    return [
      `<text x="${EDGE.left}" y="${top - 8}">${title}</text>`,
      `<text x="${EDGE.left - 6}" y="${top + 10}" text-anchor="end">${rounded(most)}</text>`,
      `<text x="${EDGE.left - 6}" y="${bottom}" text-anchor="end">0</text>`,
      `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${bottom}" y2="${bottom}"/>`,
      ...marks.map(
        (x) => `<line class="mark" x1="${across(x)}" x2="${across(x)}" y1="${top}" y2="${bottom}"/>`,
      ),
      `<path d="${line}"/>`,
    ].join('\n');
  });
  const height = curves.length * HEIGHT + 8;
  const last = `<text x="${WIDTH - EDGE.right}" y="${height - 6}" text-anchor="end">${rounded(end)} ${unit}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
<style>${STYLE}</style>
${plots.join('\n')}
${last}
</svg>
`;
}

const pixels = (value: number): string => value.toFixed(1);

const rounded = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
