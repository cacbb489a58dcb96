/** A change since the last release, and what it means. */
export interface Change {
  /** `breaks`: clients or stored items would fail. `waits`: an operator has steps to do. `adds`: nothing fails. */
  readonly effect: keyof typeof MARKS;
  readonly what: string;
  readonly consequence: string;
  readonly steps?: string;
  /** How a later deployment can undo the change. */
  readonly wayBack: string;
}

const MARKS = { breaks: '-', waits: '~', adds: '+' } as const;

/** Returns the lines about these changes. Neighbours that mean the same share one explanation. */
export const linesOf = (changes: readonly Change[]): string[] =>
  changes.flatMap((one, at) => {
    const next = changes[at + 1];
    const meaning = meaningOf(one);
    const isShared = next !== undefined && meaningOf(next).join() === meaning.join();
    return [`  ${MARKS[one.effect]} ${one.what}`, ...(isShared ? [] : meaning)];
  });

const meaningOf = ({ consequence, steps, wayBack }: Change): string[] => [
  `      consequence  ${consequence}`,
  ...(steps === undefined ? [] : [`      steps        ${steps}`]),
  `      way back     ${wayBack}`,
];
