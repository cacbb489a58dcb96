/** Renews upload links. The first renewal loads the code, because few operations need one: `announce/renew.ts`. */
export const renewed: typeof import('./announce/renew.ts').renewed = async (...input) =>
  (await import('#renewal')).renewed(...input);
