import type { View } from '../exchange.ts';

/** The scopes with which the caller sees more than other callers do, of the items and of their related items. */
export const scopesIn = ({ sight, expansions = [] }: Pick<View, 'sight' | 'expansions'>): string[] => [
  ...new Set([sight, ...expansions.map((one) => one.sight)].flatMap((one) => one?.scopes ?? [])),
];
