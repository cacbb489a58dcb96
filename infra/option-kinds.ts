/** One deployment option: its parser, its default and its description. */
export interface Option<Value> {
  readonly otherwise: Value;
  readonly about: string;
  /** Description of the valid values, for error messages. */
  readonly kind: string;
  /** Returns undefined for an invalid value. */
  read(text: string): NonNullable<Value> | undefined;
}

/** Returns a text that matches a pattern. */
export const text = <Otherwise extends string | undefined>(
  otherwise: Otherwise,
  about: string,
  kind: string,
  pattern: RegExp,
): Option<string | Otherwise> => ({
  otherwise,
  about,
  kind,
  read: (value) => (pattern.test(value) ? value : undefined),
});

/** Returns one of several names; the first is the default. */
export const choice = <const Name extends string>(
  about: string,
  names: readonly [Name, ...Name[]],
): Option<Name> => ({
  otherwise: names[0],
  about,
  kind: names.join(' or '),
  read: (value) => names.find((name) => name === value),
});

/** `true` or `false`. */
export const flag = (otherwise: boolean, about: string): Option<boolean> => ({
  otherwise,
  about,
  kind: 'true or false',
  read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
});

/** Returns a positive integer of at most nine digits, or one of a smaller range. */
export const number = <Otherwise extends number | undefined>(
  otherwise: Otherwise,
  about: string,
  range?: readonly [least: number, most: number],
): Option<number | Otherwise> => ({
  otherwise,
  about,
  kind: range ? `a number from ${range.join(' to ')}` : 'a positive integer of at most nine digits',
  read: (value) => {
    if (!/^[1-9][0-9]{0,8}$/.test(value)) return undefined;
    const [least, most] = range ?? [1, Number.POSITIVE_INFINITY];
    return Number(value) >= least && Number(value) <= most ? Number(value) : undefined;
  },
});

/** Returns one of several numbers. */
export const numberOf = (otherwise: number, about: string, values: readonly number[]): Option<number> => ({
  otherwise,
  about,
  kind: `one of ${values.join(', ')}`,
  read: (value) => values.find((one) => String(one) === value),
});

/** Days that CloudWatch Logs can keep a log. Source: Amazon CloudWatch Logs API Reference, PutRetentionPolicy. */
export const RETENTIONS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
