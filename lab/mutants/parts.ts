/** Code to mutate, and the unit tests that must notice. Both are patterns of paths. */
export interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

/** The parts by name. Tests of other parts do not run, because a mutant runs every test that reaches it. */
export const PARTS: Readonly<Record<string, Part>> = {
  preconditions: {
    mutate: ['shared/http/conditional/conditions.ts'],
    tests: ['test/unit/http/conditional/conditions.test.ts'],
  },
  conditional: {
    mutate: ['shared/http/conditional/*.ts', '!shared/http/conditional/conditions.ts'],
    tests: ['test/unit/http/conditional/*.test.ts'],
  },
  http: {
    mutate: ['shared/http/*.ts', 'shared/http/fields/*.ts'],
    tests: ['test/unit/http/**/*.test.ts'],
  },
  json: { mutate: ['shared/json/*.ts'], tests: ['test/unit/json/*.test.ts'] },
  steps: { mutate: ['shared/flow/steps/**/*.ts'], tests: ['test/unit/flow/**/*.test.ts'] },
};

/** The part that a run without names takes. It fits the two minutes that CI has for it on two cores. */
export const USUAL = 'preconditions';
