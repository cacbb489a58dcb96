/** A plot: its title with the unit, and its lines from left to right. A line with a name is in the title too. */
export interface Plot {
  readonly title: string;
  readonly lines: readonly {
    readonly name?: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

const WIDTH = 720;
const HEIGHT = 130;
/** Pixels around a plot. */
const EDGE = { left: 56, right: 12, top: 26, bottom: 18 };

/** Colours of the lines of a plot on a light page, and on a dark one. */
const COLOURS = [
  ['#0a5bd0', '#7ab3ff'],
  ['#b35900', '#ffb366'],
  ['#b3261e', '#ff8a80'],
  ['#6b3fa0', '#c9a6ff'],
] as const;
const coloured = (theme: 0 | 1): string =>
  COLOURS.map(
    (pair, at) => `.k${at}{stroke:${pair[theme]}}tspan.k${at}{stroke:none;fill:${pair[theme]}}`,
  ).join('');

/** Readers choose the theme of their browser. */
const STYLE = `text{font:12px system-ui,sans-serif;fill:#444}path{fill:none;stroke-width:1.5}
line{stroke:#bbb}.mark{stroke:#c33;stroke-dasharray:2 3}${coloured(0)}
@media(prefers-color-scheme:dark){text{fill:#ccc}line{stroke:#555}.mark{stroke:#f88}${coloured(1)}}`;

/** A drawing of plots, one below the other, over the same x. `marks`: values of x with a vertical line. `unit`: of x. */
export function draw(plots: readonly Plot[], unit: string, marks: readonly number[] = []): string {
  const largest = (axis: 0 | 1, some: readonly Plot[]): number =>
    Math.max(
      1e-9,
      ...some.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map((one) => one[axis]))),
    );
  const end = largest(0, plots);
  const across = (x: number): string => pixels(EDGE.left + (x / end) * (WIDTH - EDGE.left - EDGE.right));
  const drawn = plots.map((plot, at) => {
    const top = at * HEIGHT + EDGE.top;
    const bottom = (at + 1) * HEIGHT - EDGE.bottom;
    const most = largest(1, [plot]);
    const up = (y: number): string => pixels(bottom - (y / most) * (bottom - top));
    const names = plot.lines.flatMap(({ name }, number) =>
      name === undefined ? [] : [` <tspan class="k${number}" dx="8">${name}</tspan>`],
    );
    return [
      `<text x="${EDGE.left}" y="${top - 8}">${plot.title}${names.join('')}</text>`,
      `<text x="${EDGE.left - 6}" y="${top + 10}" text-anchor="end">${rounded(most)}</text>`,
      `<text x="${EDGE.left - 6}" y="${bottom}" text-anchor="end">0</text>`,
      `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${bottom}" y2="${bottom}"/>`,
      ...marks.map(
        (x) => `<line class="mark" x1="${across(x)}" x2="${across(x)}" y1="${top}" y2="${bottom}"/>`,
      ),
      ...plot.lines.map(({ points }, number) => {
        const line = points
          .map(([x, y], first) => `${first === 0 ? 'M' : 'L'}${across(x)} ${up(y)}`)
          .join('');
        return `<path class="k${number}" d="${line}"/>`;
      }),
    ].join('\n');
  });
  const height = plots.length * HEIGHT + 8;
  const last = `<text x="${WIDTH - EDGE.right}" y="${height - 6}" text-anchor="end">${rounded(end)} ${unit}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
<style>${STYLE}</style>
${drawn.join('\n')}
${last}
</svg>
`;
}

const pixels = (value: number): string => value.toFixed(1);

const rounded = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
