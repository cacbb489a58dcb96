/** A template of CloudFormation with the parts that a nested stack adds. */
export interface FlatTemplate {
  readonly Resources: Readonly<Record<string, FlatResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface FlatResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

/** The resource type of a nested stack. */
export const NESTED = 'AWS::CloudFormation::Stack';

/** The logical id in the flat template of a resource of a nested stack. */
export const flatId = (stack: string, resource: string): string => `${stack}${resource}`;

/**
 * Returns a template and its nested stacks as one template. The resources of a nested stack replace its resource. Each
 * parameter becomes the value that the parent passes, and each output the value that the nested stack returns. Each
 * resource also depends on what its nested stack depends on.
 * @throws Error if a nested stack refers to a resource of another stack
 *
 * `nestedOf`: the template of a nested stack, by its logical id.
 */
export function flat<Root extends FlatTemplate>(root: Root, nestedOf: (id: string) => FlatTemplate): Root {
  const outputs = new Map<string, unknown>();
  const all = Object.entries(root.Resources).flatMap(([id, part]) => {
    if (part.Type !== NESTED) return [[id, part] as const];
    const { Resources, Outputs = {} } = nestedOf(id);
    const parameters = (part.Properties?.Parameters ?? {}) as Readonly<Record<string, unknown>>;
    const inner = (value: unknown) =>
      replaced(value, ({ Ref, 'Fn::GetAtt': attribute }) => {
        if (typeof Ref === 'string' && Ref in parameters) return parameters[Ref];
        if (typeof Ref === 'string' && Ref in Resources) return { Ref: flatId(id, Ref) };
        if (typeof Ref === 'string' && !Ref.startsWith('AWS::'))
          throw new Error(`The nested stack ${id} has no ${Ref}, to which it refers`);
        if (!Array.isArray(attribute)) return undefined;
        return { 'Fn::GetAtt': [flatId(id, String(attribute[0])), attribute[1]] };
      });
    for (const [name, { Value }] of Object.entries(Outputs))
      outputs.set(`${id} Outputs.${name}`, inner(Value));
    return Object.entries(Resources).map(([own, resource]) => {
      const needed = [...dependencies(resource).map((one) => flatId(id, one)), ...dependencies(part)];
      return [flatId(id, own), { ...(inner(resource) as FlatResource), DependsOn: needed }] as const;
    });
  });
  const whole = { ...root, Resources: Object.fromEntries(all) };
  return replaced(whole, ({ 'Fn::GetAtt': attribute }) =>
    Array.isArray(attribute) ? outputs.get(attribute.join(' ')) : undefined,
  ) as Root;
}

/** The logical ids of the resources that a resource depends on. */
const dependencies = ({ DependsOn = [] }: FlatResource): readonly string[] =>
  typeof DependsOn === 'string' ? [DependsOn] : DependsOn;

/** Replaces objects in a value of JSON. `by` returns undefined for an object that stays. */
function replaced(value: unknown, by: (part: Readonly<Record<string, unknown>>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  if (typeof value !== 'object' || value === null) return value;
  const part = value as Readonly<Record<string, unknown>>;
  return by(part) ?? Object.fromEntries(Object.entries(part).map(([key, one]) => [key, replaced(one, by)]));
}
