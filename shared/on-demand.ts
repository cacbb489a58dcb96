type Lazy<Module, Names extends keyof Module> = {
  readonly [Name in Names]: Module[Name] extends (...input: infer Input) => infer Result
    ? (...input: Input) => Promise<Awaited<Result>>
    : never;
};

/**
 * Returns functions that load their code with the first call, because few requests need it and it would slow every cold
 * start. `load`: imports a module, or makes the functions from one.
 *
 * Source: docs/decisions/0006-bundles.md.
 */
export function lazily<Module extends object, const Names extends readonly (keyof Module & string)[]>(
  load: () => Promise<Module>,
  names: Names,
): Lazy<Module, Names[number]> {
  const call = async (name: Names[number], input: readonly unknown[]) => {
    const run: unknown = (await load())[name];
    return typeof run === 'function' ? run(...input) : undefined;
  };
  const entries = names.map((name) => [name, (...input: unknown[]) => call(name, input)]);
  return Object.fromEntries(entries) as Lazy<Module, Names[number]>;
}
